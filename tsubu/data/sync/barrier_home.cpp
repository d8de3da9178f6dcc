#include "tsubu/data/sync/barrier_home.hpp"

#include <fmt/format.h>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu::data {
namespace {

constexpr const char* arrives = "arrives at";

struct arrival {
  using layout = wire::layout<key>;
  static void call(const message::delivery& d, key name) { barrier_homes->find(name, d.from, arrives).arrive(); }
};

struct arrival_that_waits {
  using layout = wire::layout<key, remote::reply_address>;
  static void call(const message::delivery& d, key name, remote::reply_address to) {
    barrier_record& record = barrier_homes->find(name, d.from, arrives);
    if (record.arrive()) return remote::answer_done(to);
    record.wait(to);
  }
};

struct end_barrier_at_home {
  using layout = wire::layout<key>;
  static void call(const message::delivery& d, key name) { barrier_homes->end(name, d.from); }
};

std::vector<std::string> report_barriers() {
  std::vector<std::string> lines;
  barrier_homes->barriers.for_each([&](const barrier_record& record) {
    if (record.is_waited_for()) lines.push_back(record.report());
  });
  return lines;
}

}  // namespace

bool barrier_record::arrive() {
  if (++arrived_ != arrivals_) return false;
  arrived_ = 0;
  for (const remote::reply_address to : waiting_) remote::answer_done(to);
  waiting_.clear();
  return true;
}

std::string barrier_record::report() const {
  constexpr std::size_t most_shown = 8;
  std::string text = fmt::format("{} has {} arrivals of {}", describe(sync_kind::barrier, name_), arrived_, arrivals_);
  for (std::size_t i = 0; i < waiting_.size() && i < most_shown; ++i) {
    text += fmt::format("{}PE {}", i == 0 ? ", and who waits: " : ", ", waiting_[i].pe);
  }
  if (waiting_.size() > most_shown) text += fmt::format(" and {} more", waiting_.size() - most_shown);
  return text;
}

barrier_home::barrier_home() : me(this_pe()) { remote::current_pe->waits.report_by(&report_barriers); }

barrier_record& barrier_home::find(key name, pe_id from, const char* what) const {
  barrier_record* const record = name.home() == me ? barriers.find(name) : nullptr;
  if (record == nullptr) [[unlikely]]
    refuse_ended(sync_kind::barrier, name, from, what);
  return *record;
}

void barrier_home::end(key name, pe_id from) {
  const barrier_record& record = find(name, from, "ends");
  require(!record.is_waited_for(), "PE {} ends a barrier at which some have arrived: {}", from,
          [&] { return record.report(); });
  barriers.remove(name);
}

void arrive_at_barrier(key name) {
  check_made(sync_kind::barrier, name);
  barrier_home& here = *barrier_homes;
  if (name.home() != here.me) return remote::send<arrival>(name.home(), name);
  here.find(name, here.me, arrives).arrive();
}

void ask_barrier(key name, remote::reply_address to) { remote::send<arrival_that_waits>(name.home(), name, to); }

const wire::handler_entry& barrier_asking() { return message::registered<arrival_that_waits>::entry; }

void end_barrier(key name) {
  check_made(sync_kind::barrier, name);
  barrier_home& here = *barrier_homes;
  if (name.home() == here.me) return here.end(name, here.me);
  remote::send<end_barrier_at_home>(name.home(), name);
}

}  // namespace tsubu::data
