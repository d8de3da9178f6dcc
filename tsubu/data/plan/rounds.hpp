// One PE's end of a plan: who of its partners has begun which execution, so that no PE waits for more than it must.
//
// Partners are who sends to this PE (its sources) and whom it sends to (its destinations). Two views are used in turn,
// one for the odd executions, or rounds, and one for the even ones. In round r a PE
//
//   1. waits until each destination has begun round r - 1: then nobody uses the values of round r - 2 any more, here or
//      there, whose view comes next
//   2. sets its own elements
//   3. says once to each partner that it has begun: behind what it sends to it, if it sends something
//   4. waits until each source has begun round r: then what it needs is in place, or may be read there
//
// So executions need no barrier between them; PEs that need each other are at most a round apart, and where all do, 1.
// never waits.
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/data/plan/pattern.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/context.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::data {

enum class partner_role : std::uint8_t { source = 1, destination = 2 };

class plan_rounds {
 public:
  plan_rounds(const std::vector<pe_id>& sources, const std::vector<pe_id>& destinations);

  // The round that this PE has begun last; 0 before the first.
  std::uint64_t now() const { return now_; }
  void begin() { ++now_; }

  // Awaited: each partner in that role has begun that round.
  class wait;
  wait all_began(partner_role role, std::uint64_t round);

  // ---- what partners say

  void partner_began(pe_id by);
  // Says nothing any more, and reads nothing.
  void partner_left(pe_id by);
  bool all_left() const { return partners_left_ == 0; }

  // f(pe) for each partner; or for those that are sources and no destinations.
  template <class F>
  void for_each_partner(F f) const {
    for (const pe_id pe : partners_) f(pe);
  }
  template <class F>
  void for_each_mere_source(F f) const {
    for (const pe_id pe : mere_sources_) f(pe);
  }

  bool has(pe_id partner, partner_role role) const {
    return (roles_[static_cast<std::size_t>(partner)] & static_cast<std::uint8_t>(role)) != 0;
  }

 private:
  std::size_t behind(partner_role role, std::uint64_t round) const;

  std::vector<pe_id> partners_, mere_sources_;
  std::vector<std::uint8_t> roles_;   // by PE
  std::vector<std::uint64_t> begun_;  // by PE: rounds
  std::uint64_t now_ = 0;
  std::size_t partners_left_;
  wait* waiting_ = nullptr;
};

class [[nodiscard]] plan_rounds::wait {
 public:
  wait(plan_rounds& of, partner_role role, std::uint64_t round) : of_(of), role_(role), round_(round) {}
  wait(const wait&) = delete;
  wait& operator=(const wait&) = delete;
  ~wait() {
    if (of_.waiting_ == this) of_.waiting_ = nullptr;
  }

  bool await_ready() {
    behind_ = of_.behind(role_, round_);
    return behind_ == 0;
  }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    require(of_.waiting_ == nullptr, "two tasks execute one exchange plan at a time");
    of_.waiting_ = this;
    record_.suspend(task, where);
  }
  void await_resume() const {}

 private:
  friend plan_rounds;
  plan_rounds& of_;
  const partner_role role_;
  const std::uint64_t round_;
  std::size_t behind_ = 0;  // partners
  wait_record record_{"elements of an exchange plan", &of_};
};

inline plan_rounds::wait plan_rounds::all_began(partner_role role, std::uint64_t round) { return {*this, role, round}; }

// Where a partner's slots are, in elements: of a round of even number from `first` on, of an odd one `stride` behind.
struct partner_views {
  remote::segment_id segment = 0;
  std::uint64_t first = 0, stride = 0;
};

// The plans of a PE, by their number, which is the same on all PEs, since all make them in the same order. A plan that
// was destroyed stays until each partner has left it, too: others may still read what it has sent last.
class plan_table {
 public:
  plan_table();
  plan_table(const plan_table&) = delete;
  plan_table& operator=(const plan_table&) = delete;
  ~plan_table();

  // The plan that all PEs are about to make has it.
  std::uint32_t next_number() { return next_++; }
  void add(std::uint32_t number, std::unique_ptr<plan_rounds> rounds, remote::segment_id views);
  plan_rounds& at(std::uint32_t number, pe_id who);
  // Its owner has destroyed it; a partner has.
  void leave(std::uint32_t number);
  void partner_left(std::uint32_t number, pe_id by);

  // What partners say of their views, perhaps before the plan is made here. Awaited: what one of them has said.
  struct said {
    pe_id by = no_pe;
    partner_views views;
  };
  void partner_opened(std::uint32_t number, pe_id by, partner_views views);
  task<said> next_opened(std::uint32_t number);

 private:
  struct plan;
  struct table;
  plan& find(std::uint32_t number, pe_id who);
  void end_if_left(std::uint32_t number, const plan& p);

  const detail::owned<table> plans_;  // by number
  std::uint32_t next_ = 0;
};

extern const pe_local<plan_table> plans_here;

// The partner that sends it has begun a round.
struct round_begun {
  using layout = wire::layout<std::uint32_t>;
  static constexpr message_kind kind = message_kind::collective;
  static constexpr bool seldom = true;
  static void call(const message::delivery& d, std::uint32_t plan);
};
// The same behind a write.
void round_begun_behind_write(std::uint32_t plan, pe_id by);

struct views_opened {
  using layout = wire::layout<std::uint32_t, remote::segment_id, std::uint64_t, std::uint64_t>;
  static constexpr bool seldom = true;
  static void call(const message::delivery& d, std::uint32_t plan, remote::segment_id segment, std::uint64_t first,
                   std::uint64_t stride);
};

struct plan_left {
  using layout = wire::layout<std::uint32_t>;
  static constexpr bool seldom = true;
  static void call(const message::delivery& d, std::uint32_t plan);
};

}  // namespace tsubu::data
