#include "tsubu/data/sync/counter.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/data/sync/counter_home.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu {
namespace data {

counter_request::~counter_request() {
  if (slot_.has_value() && !cell_.ready()) remote::current_pe->replies.abandon(*slot_);
}

bool counter_request::await_ready() {
  check_made(sync_kind::counter, of_.name);
  require(
      argument_ >= 0, "{} is written {}: a counter is not negative",
      [this] { return describe(sync_kind::counter, of_.name); }, argument_);
  const counter_home& here = *counter_homes;
  if (of_.name.home() == here.me) {
    result_ = here.find(of_.name, here.me, verb_of(what_)).operate(what_, argument_);
  } else if (what_ != counter_operation::write && here.keeps_zero(of_.name)) {
    result_ = 0;
  }
  return result_.has_value();
}

void counter_request::suspend(ready_item who, std::source_location where) {
  report_sync_waits();
  const counter_home& here = *counter_homes;
  const key name = of_.name;
  slot_ = remote::current_pe->replies.open(here.me, *this, &remote::reply_type<long>, name.home(), &counter_asking());
  if (name.home() == here.me) {
    here.find(name, here.me, verb_of(what_)).wait(what_, argument_, *slot_);
  } else {
    ask_counter(name, what_, argument_, *slot_);
  }
  cell_.suspend(who, where);
}

}  // namespace data

void shared_counter::end() const { data::end_counter(name_); }

shared_counter create_counter(long n) {
  require(n >= 0, "a counter is made with {}: it is not negative", n);
  data::counter_home& here = *data::counter_homes;
  return shared_counter(here.counters.add(here.me, n));
}

}  // namespace tsubu
