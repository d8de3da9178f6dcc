// The simulator: all PEs of a job take turns in one thread, each at its own time, and messages take as long as on the
// machine that is simulated.
//
// The PE whose time is least has the turn. It keeps it while nothing that another PE or the network does could still
// come before what it looks at next: it may be ahead of them by what a message takes at least. So every PE takes its
// messages in the order of their arrival, and a job with the same seed, machine and input goes the same way each time.
// (Conservative simulation with lookahead: Chandy and Misra, "Distributed simulation", 1979; one thread needs no null
// messages.) A PE with nothing to do parks until a message or a timer wakes it; polls in vain are not simulated.
//
// Turns are ordered by (picoseconds, PE), messages by (picoseconds, sender, number): no two are equal, so any queue
// gives the same result.
//
// The engine knows nothing of what PEs are and of what messages hold: PEs are driven, and messages described, through
// tsubu/base/simulated_machine.hpp. How long things take is the part of a costing.
#pragma once

#include <functional>
#include <memory>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/base/timed_stretch.hpp"
#include "tsubu/sim/account.hpp"
#include "tsubu/sim/batch_pool.hpp"
#include "tsubu/sim/costing.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/memory.hpp"
#include "tsubu/sim/recycled.hpp"
#include "tsubu/sim/settings.hpp"
#include "tsubu/sim/simulation.hpp"
#include "tsubu/sim/timed_stretch.hpp"
#include "tsubu/sim/turns.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::sim {

// Makes a PE, which is entered then, and starts its program.
using pe_maker = std::function<std::unique_ptr<driven_pe>(transport::transport& end)>;

// Gives the job what the machine decides: its hops where each message goes by itself, and the row of its grid, which is
// to lie within a node.
void fit_to(const machine& on, transport::launch_settings& how);

class engine final : private simulated_machine, private stretch_listener {
 public:
  engine(const machine& on, const transport::launch_settings& how, const engine_settings& settings,
         const pe_maker& make);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // Until the job ends; its exit code.
  int run();

  // When the last PE had ended.
  std::int64_t time_ps() const { return end_ps_; }
  // Turns, messages' steps and packets executed.
  std::uint64_t events() const { return shared_.events; }
  int pe_count() const { return static_cast<int>(shared_.pes.size()); }
  account of(pe_id pe) const { return shared_.pes[static_cast<std::size_t>(pe)]->account; }
  const network& wires() const { return shared_.wires; }
  // What the program takes its own time of.
  const timed_stretch& timed() const { return timed_; }
  // What PE expected of its messages; null if nothing is predicted.
  const predictor* expected(pe_id pe) const { return costing_->expected(pe); }
  // What PE found in its translation buffer; null if it does not run under a kernel.
  const translation_buffer* translations(pe_id pe) const {
    return memory_ == nullptr ? nullptr : memory_->translations(pe);
  }

 private:
  friend class end;
  // What a batch has with it while it is under way.
  struct parcel {
    transport::batch* b;
    transport::bulk_source source;
    bool free;  // takes nobody's time
  };
  enum class after_turn { another, interrupted, over };

  // ---- what the PE that runs asks and tells
  std::int64_t now_ps() override;
  std::int64_t clock_ps() const override { return shared_.on.clock_ps; }
  void work(double clocks) override;
  void access(const memory_access& a) override;
  const addressed_datum* find_addressed(std::uint64_t name) const override;
  void place_addressed(std::uint64_t name, void* value, std::size_t bytes) override;
  void remove_addressed(std::uint64_t name) override;
  std::size_t word_bytes() const override { return static_cast<std::size_t>(shared_.on.word_bytes); }
  pe_id neighbour(pe_id of, int k) const override;
  void timed_stretch_begins() override;
  void timed_stretch_ends() override;

  // ---- turns
  void start(processor& p, const pe_maker& make);
  void run_turns(processor& p);
  after_turn take_turn(processor& p);
  after_turn take_last_turn(processor& p, std::int64_t began_ps);
  void park(processor& p, std::int64_t ns);
  void wake(processor& p, std::int64_t ps);
  bool others_may_be_first(const processor& p);
  bool do_what_is_first();

  // ---- messages
  void post(processor& p, transport::batch* b, const transport::bulk_source& source, const message_facts& facts);
  void arrive(const flight& f);
  parcel unpack(const flight& f);
  void move_network(std::int64_t until_ps);

  // ---- ends
  [[noreturn]] void too_late();
  bool takes_no_turn(processor& p);
  [[noreturn]] void one_has_died();
  void tell_seed() const;

  timed_stretch::state so_far() const;

  simulation shared_;  // with the costing and the PEs' ends

  // Constant after construction.
  const std::int64_t work_clock_ps_;  // for a clock of work(); 0: work is measured
  const bool control_is_free_;        // what the runtime says to itself
  std::unique_ptr<memory> memory_;    // null: the machine has none, or work is measured
  std::unique_ptr<costing> costing_;

  turn_queue turns_;
  recycled<parcel> parcels_;
  batch_pool batches_;
  timed_stretch timed_;
  processor* running_ = nullptr;  // whose turn it is
  std::int64_t end_ps_ = 0;
  int left_ = 0;  // PEs that have not ended
  bool one_is_dead_ = false;
  int code_ = 0;
};

}  // namespace tsubu::sim
