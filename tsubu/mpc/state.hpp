// What the library keeps per node.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <map>
#include <memory>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tsubu/mpc/counters.hpp"
#include "tsubu/mpc/functions.hpp"
#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/task/sync.hpp"

namespace tsubu::mpc {

// One message of a barrier or reduction.
struct collective_part {
  std::uint32_t call = 0;  // the number of the collective on each node
  std::uint32_t step = 0;
  std::vector<std::byte> payload;
};

// Which writes a barrier has to wait for: see Barrier.
//
// A write belongs to the epoch that its sender is in; an epoch ends where a node enters a barrier. When
// a node that has left `left` barriers executes a write, its epoch is left, left + 1 or left + 2: the
// sender cannot enter a barrier before everyone has entered the one before it. So four counts suffice.
struct write_epochs {
  static constexpr std::uint32_t kept = 4;

  std::uint32_t entered = 0;
  std::uint32_t left = 0;
  std::vector<std::uint32_t> sent;             // in this epoch, by destination
  std::array<std::uint32_t, kept> executed{};  // here, by epoch modulo 4

  struct wait {
    std::uint32_t expected;
    oneshot<void> all_executed{"remote writes before a barrier"};
  };
  wait* waiting = nullptr;

  void count_executed(pe_id from, std::uint32_t epoch);
};

class state {
 public:
  state();
  ~state();
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  counters counted;
  write_epochs writes;

  // Parts of collectives, by the node they come from, in order. MTTL builds its collectives on Sync, and so do we.
  std::unique_ptr<sync<collective_part>[]> parts;
  std::uint32_t collective_calls = 0;
  bool in_collective = false;

  // Memory that a GlobalPtr was made of, so that making it again gives the same pointer.
  std::map<std::pair<void*, std::size_t>, remote::segment_id> registered;

  // The end of the job.
  struct ending {
    bool asked = false;  // node 0: someone has called mpc_exit
    bool told = false;   // the exit message is here
    int code = 0;
    int answers_left = 0;             // node 0
    std::coroutine_handle<> program;  // waits for it
  } exit;

  bool is_checked(function_number f, const std::type_info& parameters) const {
    const auto at = checked_.find(f);
    return at != checked_.end() && *at->second == parameters;
  }
  void set_checked(function_number f, const std::type_info& parameters) { checked_[f] = &parameters; }

 private:
  std::unordered_map<function_number, const std::type_info*> checked_;
};

// The state of the node that runs this.
state& my_state();

}  // namespace tsubu::mpc
