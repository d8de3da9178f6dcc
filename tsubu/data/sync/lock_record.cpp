#include "tsubu/data/sync/lock_record.hpp"

#include <fmt/format.h>

#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/pool.hpp"
#include "tsubu/data/sync/lock_home.hpp"

namespace tsubu::data {

lock_record::~lock_record() {
  for (line* l : {&exclusive_, &sharing_}) {
    while (!l->empty()) l->pop();
  }
}

void lock_record::line::push(const lock_user& by, remote::reply_address to) {
  auto* const added = new_pooled<waiter>(waiter{by, to, nullptr});
  (last != nullptr ? last->next : first) = added;
  last = added;
}

lock_record::waiter lock_record::line::pop() {
  waiter* const popped = first;
  const waiter w = *popped;
  first = w.next;
  if (first == nullptr) last = nullptr;
  delete_pooled(popped);
  return w;
}

void lock_record::wait(lock_mode mode, const lock_user& by, remote::reply_address to) {
  (mode == lock_mode::exclusive ? exclusive_ : sharing_).push(by, to);
}

void lock_record::release(pe_id from, lock_ticket ticket) {
  if (ticket != exclusive_ticket) return stop_sharing(from, ticket);
  expect_holder(holders_ == held_exclusively && holder_.pe == from, from);
  holders_ = 0;
  if (sharing_.empty()) return grant_exclusive();
  // Those who come while these are told are behind them: what is granted is sent, and runs nothing here.
  while (!sharing_.empty()) {
    const waiter w = sharing_.pop();
    grant(w, share_with(w.by));
  }
}

lock_ticket lock_record::share_with(const lock_user& by) {
  ++holders_;
  if (free_tickets_.empty()) {
    shared_by_.push_back(by);
    return static_cast<lock_ticket>(shared_by_.size() - 1);
  }
  const lock_ticket ticket = free_tickets_.back();
  free_tickets_.pop_back();
  shared_by_[ticket] = by;
  return ticket;
}

void lock_record::stop_sharing(pe_id from, lock_ticket ticket) {
  expect_holder(holders_ > 0 && ticket < shared_by_.size() && shared_by_[ticket].pe == from, from);
  shared_by_[ticket].pe = no_pe;
  free_tickets_.push_back(ticket);
  if (--holders_ == 0) grant_exclusive();
}

void lock_record::grant_exclusive() {
  if (exclusive_.empty()) return;
  const waiter w = exclusive_.pop();
  holders_ = held_exclusively;
  holder_ = w.by;
  grant(w, exclusive_ticket);
}

void lock_record::grant(const waiter& w, lock_ticket ticket) const { send_ticket(w.to, kind_, name_, ticket); }

void lock_record::expect_holder(bool holds, pe_id from) const {
  require(
      holds, "PE {} releases {}, which it does not hold: {}", from, [this] { return describe(kind_, name_); },
      [this] { return is_idle() ? std::string("nobody does") : "held by " + holders(); });
}

namespace {

constexpr std::size_t most_users = 8;  // whom a report shows

std::string place_of(const lock_user& u) {
  const lock_home& here = *lock_homes;
  return u.pe == here.me ? text_of(u.where) : here.places.text_of(u.pe, u.place);
}

// Takes part in a list of `total`.
void list_user(std::string& text, std::size_t& listed, std::string user) {
  if (++listed > most_users) return;
  text += (text.empty() ? "" : ", ") + std::move(user);
}
std::string end_list(std::string text, std::size_t listed) {
  if (listed > most_users) text += fmt::format(" and {} more", listed - most_users);
  return text;
}

}  // namespace

std::string lock_record::holders() const {
  if (holders_ == held_exclusively) return fmt::format("PE {} (acquired at {})", holder_.pe, place_of(holder_));
  std::string text;
  std::size_t listed = 0;
  for (const lock_user& u : shared_by_) {
    if (u.pe != no_pe) list_user(text, listed, fmt::format("PE {} (acquired at {})", u.pe, place_of(u)));
  }
  return end_list(std::move(text), listed);
}

std::string lock_record::waiters() const {
  std::string text;
  std::size_t listed = 0;
  for (const line* l : {&exclusive_, &sharing_}) {
    for (const waiter* w = l->first; w != nullptr; w = w->next) {
      const char* const how = l == &sharing_ ? ", to share it" : "";
      list_user(text, listed, fmt::format("PE {} (at {}{})", w->by.pe, place_of(w->by), how));
    }
  }
  return end_list(std::move(text), listed);
}

}  // namespace tsubu::data
