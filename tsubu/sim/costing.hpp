// How what the PEs of a simulated job do takes its time. There are three ways:
//
//   declared  the program says what it computes with work(), the machine's file what the runtime's own events take
//   measured  this computer's clock says what each turn takes; the machine's file adds what batches take
//   played    each message goes by itself, in the steps of its protocol, which are played when the turn is over
//
// The engine gives turns, and tells its costing of all that happens in them; only the costing lets time go on for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/sim/network.hpp"
#include "tsubu/sim/prediction.hpp"

namespace tsubu::sim {

struct processor;
struct simulation;

// A message comes to its PE's end of the network, at the time that it has.
using arrival = std::function<void(const flight&)>;
// A PE that waits for its costing goes on at that time.
using resumption = std::function<void(pe_id, std::int64_t ps)>;

// How many bytes a batch has, or a bulk and its head.
struct batch_size {
  std::size_t batch, bulk;
};

class costing {
 public:
  virtual ~costing() = default;

  // ---- what the PE that runs does

  // A turn begins.
  void turn_begins() {
    looks_ = 0;
    goes_on();
  }
  // The PE goes on: what the engine has done since it was last charged is not the PE's.
  virtual void goes_on() {}
  // Lets its time go on for what it has done since it was last charged.
  virtual void charge(processor& p) = 0;
  // One half of its turn is over, which began then.
  virtual void half_over(processor& p, std::int64_t began_ps) = 0;
  // Its turn is over and it has another one at once. Returns what a turn takes in which nothing took time: nothing that
  // is done again and again takes none. No value: the turn comes when the costing resumes the PE, or with a message.
  virtual std::optional<std::int64_t> another_turn(processor& p) = 0;
  // Others come first; it will go on.
  virtual void interrupted(processor&) {}
  // Its turn is over, and it waits or has ended.
  virtual void turn_over(processor&) {}
  // It looks at its clock. That takes no time, unless a turn does hardly anything else: it waits for a time to come.
  virtual void looks(processor& p);

  // ---- messages

  // The PE begins to fill a batch.
  virtual void message_begins(processor&) {}
  // It sends one. `f` tells all but the time.
  virtual void send(processor& p, flight& f, const message_facts& facts, batch_size size) = 0;
  // The same, of a message that takes nobody's time.
  virtual void send_free(flight& f) = 0;
  // The network has brought one.
  virtual void brought(const flight& f) = 0;
  // The PE takes one that has arrived and is not free.
  virtual void take(processor&, const flight&, batch_size) {}

  // ---- what it does by itself, between turns

  // When something next happens; network::no_time: never.
  virtual std::int64_t next_ps() const { return network::no_time; }
  // Does what is next, at next_ps().
  virtual void move() {}

  // The job has ended then: for how long was the PE idle?
  virtual void settle(processor& p, std::int64_t end_ps) = 0;
  // What PE expected of its messages; null if nothing is predicted.
  virtual const predictor* expected(pe_id) const { return nullptr; }

 protected:
  costing(simulation& all, arrival arrives) : all_(all), arrives_(std::move(arrives)) {}

  simulation& all_;
  const arrival arrives_;

 private:
  int looks_ = 0;  // at the clock, of this turn
};

// The way of costing that the machine and the settings ask for.
std::unique_ptr<costing> make_costing(simulation& all, arrival arrives, resumption resumes);

}  // namespace tsubu::sim
