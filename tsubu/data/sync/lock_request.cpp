#include "tsubu/data/sync/lock_request.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/data/sync/lock_home.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu {

void held_lock::release(std::source_location where) {
  if (ticket_ == data::no_ticket) {
    const std::string lock = name_ == data::key() ? "a lock" : data::describe(kind_, name_);
    fail(lock + " is released by what does not hold it: it has been released, or moved, before", where);
  }
  data::release_lock(kind_, name_, std::exchange(ticket_, data::no_ticket));
}

void held_lock::release_held() noexcept {
  if (remote::job_goes_on()) data::release_lock(kind_, name_, ticket_);
}

namespace data {

// Who stops waiting is granted it all the same when it is its turn, and then gives it back: here, or where the ticket
// arrives (lock_home.cpp).
lock_request::~lock_request() {
  if (slot_.has_value() && cell_.ready()) ticket_ = cell_.await_resume();
  if (ticket_ != no_ticket) {
    release_lock(of_.kind, of_.name, ticket_);
  } else if (slot_.has_value()) {
    remote::current_pe->replies.abandon(*slot_);
  }
}

bool lock_request::await_ready() {
  const lock_home& here = *lock_homes;
  if (of_.name.home() != here.me) return false;
  lock_record* const record = here.locks.find(of_.name);
  if (record == nullptr) [[unlikely]]
    return false;  // suspend() says so
  ticket_ = record->try_acquire(mode_, {here.me, 0, where_});
  return ticket_ != no_ticket;
}

void lock_request::suspend(ready_item who, std::source_location) {
  check_made(of_.kind, of_.name);
  report_sync_waits();
  const lock_home& here = *lock_homes;
  const pe_id home = of_.name.home();
  if (home != here.me) {
    slot_ = remote::current_pe->replies.open(here.me, *this, &remote::reply_type<lock_ticket>, home, &lock_asking());
    ask_for_lock(of_.kind, of_.name, mode_, where_, *slot_);
  } else {
    lock_record& record =
        here.find(of_.kind, of_.name, here.me, [this] { return "acquires, at " + text_of(where_) + ","; });
    slot_ = remote::current_pe->replies.open(here.me, *this, &remote::reply_type<lock_ticket>, home, &lock_asking());
    record.wait(mode_, {here.me, 0, where_}, *slot_);
  }
  cell_.suspend(who, where_);
}

}  // namespace data
}  // namespace tsubu
