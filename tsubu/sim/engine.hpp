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
#pragma once

#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/host_clock.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/sim/account.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/memory.hpp"
#include "tsubu/sim/network.hpp"
#include "tsubu/sim/protocol.hpp"
#include "tsubu/sim/schedule.hpp"
#include "tsubu/sim/trace.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::sim {

class end;

// Makes a PE, which is entered then, and starts its program.
using pe_maker = std::function<std::unique_ptr<remote::pe>(transport::transport& end)>;

// Whence the time of what the PEs compute.
enum class work_time {
  annotated,  // the program says it with work(), the machine what the runtime's own events take
  measured,   // what this computer takes for each turn, scaled; the machine says only what batches and messages take
};

struct engine_settings {
  std::uint64_t seed = 0;     // of a schedule; 0: nothing is varied
  std::int64_t limit_ps = 0;  // the job ends with an error beyond it; 0: none
  work_time work = work_time::annotated;
  double work_scale = 1;                             // measured: the simulated machine takes so many times as long
  predicted what_is_predicted = predicted::nothing;  // on a machine that can
  pe_id fault_pe = no_pe;                            // that PE dies, at fault_ps
  std::int64_t fault_ps = 0;
  std::string trace;  // the file for it; empty: none
  // What the runtime says to itself takes a while, and nobody's time: to compare with models that have no runtime.
  bool control_is_free = false;
};

class engine {
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
  std::uint64_t events() const { return events_; }
  int pe_count() const { return static_cast<int>(pes_.size()); }
  account of(pe_id pe) const;
  const network& wires() const { return network_; }
  // Whether the machine sends each message by itself.
  const protocol_player* player() const { return player_.get(); }
  // What PE expected of its messages; null if nothing is predicted.
  const predictor* expected(pe_id pe) const { return player_ != nullptr ? player_->expected(pe) : nullptr; }

 private:
  friend class end;
  struct processor;
  // What a batch has with it while it is under way.
  struct parcel {
    transport::batch* b;
    transport::bulk_source source;
    bool free;  // takes nobody's time
  };
  struct turn {
    std::int64_t ps;
    pe_id pe;
    std::uint64_t version;  // it stands while this is its PE's
    bool operator>(const turn& other) const { return ps != other.ps ? ps > other.ps : pe > other.pe; }
  };

  void charge(processor& p);
  void measure(processor& p);
  void measure_from_here();
  std::int64_t handing_over(std::size_t batch, std::size_t bulk) const;
  void spend(std::int64_t& on, std::int64_t ps) {
    on += ps;
    clock_.ps += ps;
  }
  void give_turn(processor& p, std::int64_t ps);
  bool next_turn(turn& next);
  void move_network(std::int64_t until_ps);
  bool others_may_be_first(const processor& p);
  void run_turns(processor& p);
  void turn_over(processor& p);
  void add_work(processor& p);
  void message_begins(const end& wire);
  void leave(processor& p, std::int64_t next_ps);
  void post(processor& p, pe_id to, transport::batch* b, const transport::bulk_source& source);
  void arrive(const flight& f);
  void wake(processor& p, std::int64_t ps);
  transport::batch* acquire();
  transport::batch* acquire(std::vector<transport::batch*>& free, std::size_t bytes);
  transport::batch* shrunk(transport::batch* b);
  void give_back(transport::batch* b);
  [[noreturn]] void too_late();
  bool takes_no_turn(processor& p);
  [[noreturn]] void one_has_died();
  void tell_seed() const;

  const machine machine_;
  const engine_settings settings_;
  network network_;
  std::unique_ptr<schedule> schedule_;
  std::unique_ptr<trace> trace_;
  std::unique_ptr<memory> memory_;  // null: the machine has none, or work is measured
  simulated_memory accesses_;
  std::unique_ptr<protocol_player> player_;  // null: messages go in batches
  std::size_t batch_bytes_;
  std::vector<std::unique_ptr<processor>> pes_;
  std::priority_queue<turn, std::vector<turn>, std::greater<>> turns_;
  recycled<parcel> parcels_;
  std::vector<transport::batch*> arena_;
  std::vector<transport::batch*> free_, small_free_;  // with room for batch_bytes_; for small_bytes
  simulated_clock clock_;                             // of the PE that runs
  std::unique_ptr<host_clock> host_;                  // measured
  processor* running_ = nullptr;                      // whose turn it is
  std::int64_t end_ps_ = 0;
  std::uint64_t events_ = 0;
  int looks_ = 0;  // of a turn, at the clock
  int left_ = 0;
  bool one_is_dead_ = false;
  int code_ = 0;
};

}  // namespace tsubu::sim
