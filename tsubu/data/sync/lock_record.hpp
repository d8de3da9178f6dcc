// A lock on its home: who holds it, who waits, and whose turn is next.
//
// Exclusive holders get it in the order in which they came. Those who share it get in at once while nobody waits for it
// exclusively; else they wait, and all who wait get in together when the exclusive holder has left. So the two sorts
// take turns ("phase-fair", Brandenburg and Anderson 2010): an exclusive one waits for one group of sharers at most
// between it and the exclusive one before it, a sharer for one exclusive holder at most after those who share it now.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "tsubu/data/sync/sync_wait.hpp"
#include "tsubu/remote/messages/reply.hpp"

namespace tsubu::data {

enum class lock_mode : std::uint8_t { exclusive, shared };

// What one holder has to show when it releases: which of those who share it, or that it has it alone.
using lock_ticket = std::uint32_t;
inline constexpr lock_ticket exclusive_ticket = ~lock_ticket{0};
inline constexpr lock_ticket no_ticket = exclusive_ticket - 1;  // who does not hold it

// Who holds or waits, and since where: as a number of the PE (place_names), or, on the home itself, the place.
struct lock_user {
  pe_id pe = no_pe;
  std::uint32_t place = 0;
  std::source_location where;
};

class lock_record {
 public:
  lock_record(key name, sync_kind kind) : name_(name), kind_(kind) {}
  ~lock_record();
  lock_record(const lock_record&) = delete;
  lock_record& operator=(const lock_record&) = delete;

  // A ticket if it is free for that, else no_ticket.
  [[gnu::always_inline]] lock_ticket try_acquire(lock_mode mode, const lock_user& by) {
    if (mode == lock_mode::exclusive) [[likely]] {
      if (holders_ != 0) return no_ticket;
      holders_ = held_exclusively;
      holder_ = by;
      return exclusive_ticket;
    }
    if (holders_ == held_exclusively || !exclusive_.empty()) return no_ticket;
    return share_with(by);
  }
  // try_acquire() has failed. The ticket goes to `to` when it is its turn.
  void wait(lock_mode mode, const lock_user& by, remote::reply_address to);
  // Ends the job if `from` does not hold it with that ticket.
  void release(pe_id from, lock_ticket ticket);

  bool is_idle() const { return holders_ == 0; }
  bool is_waited_for() const { return !exclusive_.empty() || !sharing_.empty(); }
  // "PE 1 (acquired at main.cpp:12)"
  std::string holders() const;
  // "PE 2 (at main.cpp:20), PE 3 (at main.cpp:30, to share it)"
  std::string waiters() const;

  key name() const { return name_; }
  sync_kind kind() const { return kind_; }

 private:
  struct waiter {
    lock_user by;
    remote::reply_address to;
    waiter* next;
  };
  // First in, first out.
  struct line {
    waiter* first = nullptr;
    waiter* last = nullptr;
    bool empty() const { return first == nullptr; }
    void push(const lock_user& by, remote::reply_address to);
    waiter pop();
  };
  static constexpr std::int32_t held_exclusively = -1;

  lock_ticket share_with(const lock_user& by);
  void stop_sharing(pe_id from, lock_ticket ticket);
  void grant_exclusive();
  void grant(const waiter& w, lock_ticket ticket) const;
  void expect_holder(bool holds, pe_id from) const;

  const key name_;
  const sync_kind kind_;

  // Nobody waits for what nobody holds, and nobody waits to share it unless it is held, or waited for, exclusively.
  std::int32_t holders_ = 0;  // how many share it; or held_exclusively
  lock_user holder_;          // if it is held exclusively
  line exclusive_;
  line sharing_;
  std::vector<lock_user> shared_by_;  // by ticket; no_pe: the ticket is free
  std::vector<lock_ticket> free_tickets_;
};

}  // namespace tsubu::data
