#include "tsubu/data/sync/named_barrier.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/data/sync/barrier_home.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu {
namespace data {

barrier_request::~barrier_request() {
  if (slot_.has_value() && !cell_.ready()) remote::current_pe->replies.abandon(*slot_);
}

bool barrier_request::await_ready() {
  check_made(sync_kind::barrier, of_.name);
  const barrier_home& here = *barrier_homes;
  return of_.name.home() == here.me && here.find(of_.name, here.me, "arrives at").arrive();
}

void barrier_request::suspend(ready_item who, std::source_location where) {
  report_sync_waits();
  const barrier_home& here = *barrier_homes;
  const key name = of_.name;
  slot_ = remote::current_pe->replies.open(here.me, *this, &remote::reply_type<void>, name.home(), &barrier_asking());
  if (name.home() == here.me) {
    here.find(name, here.me, "arrives at").wait(*slot_);
  } else {
    ask_barrier(name, *slot_);
  }
  cell_.suspend(who, where);
}

}  // namespace data

void named_barrier::arrive() const { data::arrive_at_barrier(name_); }
void named_barrier::end() const { data::end_barrier(name_); }

named_barrier create_barrier(std::uint32_t arrivals) {
  require(arrivals > 0, "a barrier is made for no arrival");
  data::barrier_home& here = *data::barrier_homes;
  return named_barrier(here.barriers.add(here.me, arrivals));
}

}  // namespace tsubu
