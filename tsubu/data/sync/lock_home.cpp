#include "tsubu/data/sync/lock_home.hpp"

#include <fmt/format.h>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu::data {
namespace {

struct release_at_home {
  using layout = wire::layout<sync_kind, key, lock_ticket>;
  static void call(const message::delivery& d, sync_kind kind, key name, lock_ticket ticket) {
    lock_homes->release(kind, name, d.from, ticket);
  }
};

struct end_at_home {
  using layout = wire::layout<sync_kind, key>;
  static void call(const message::delivery& d, sync_kind kind, key name) { lock_homes->end(kind, name, d.from); }
};

struct acquire_at_home {
  using layout = wire::layout<sync_kind, lock_mode, key, std::uint32_t, remote::reply_address>;
  static void call(const message::delivery& d, sync_kind kind, lock_mode mode, key name, std::uint32_t place,
                   remote::reply_address to) {
    lock_home& here = *lock_homes;
    const lock_user by{d.from, place, {}};
    lock_record& record =
        here.find(kind, name, d.from, [&] { return "acquires, at " + here.places.text_of(d.from, place) + ","; });
    const lock_ticket ticket = record.try_acquire(mode, by);
    if (ticket != no_ticket) return send_ticket(to, kind, name, ticket);
    record.wait(mode, by, to);
  }
};

// The kind is needed where nobody takes the ticket, only.
struct ticket_granted {
  using layout = wire::layout<std::uint32_t, std::uint32_t, sync_kind, key, lock_ticket>;
  static constexpr message_kind kind = message_kind::reply;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, sync_kind of, key name,
                   lock_ticket ticket) {
    auto* const sink = remote::take_sink<lock_ticket>(d.from, slot, generation);
    if (sink == nullptr) return release_lock(of, name, ticket);  // who asked is gone
    sink->value(ticket);
  }
};

std::vector<std::string> report_locks() {
  std::vector<std::string> lines;
  lock_homes->locks.for_each([&](const lock_record& record) {
    if (!record.is_waited_for()) return;
    lines.push_back(fmt::format("{} is held by {}, and who waits: {}", describe(record.kind(), record.name()),
                                record.holders(), record.waiters()));
  });
  return lines;
}

}  // namespace

lock_home::lock_home() : me(this_pe()) { remote::current_pe->waits.report_by(&report_locks); }

void lock_home::release(sync_kind kind, key name, pe_id from, lock_ticket ticket) {
  find(kind, name, from, [] { return "releases"; }).release(from, ticket);
}

void lock_home::end(sync_kind kind, key name, pe_id from) {
  const lock_record& record = find(kind, name, from, [] { return "ends"; });
  require(
      record.is_idle(), "PE {} ends {}, which is held by {}", from, [&] { return describe(kind, name); },
      [&] { return record.holders(); });
  locks.remove(name);
}

void send_ticket(remote::reply_address to, sync_kind kind, key name, lock_ticket ticket) {
  remote::send<ticket_granted>(to.pe, to.slot, to.generation, kind, name, ticket);
}

void ask_for_lock(sync_kind kind, key name, lock_mode mode, const std::source_location& where,
                  remote::reply_address to) {
  const std::uint32_t place = lock_homes->places.number_for(name.home(), where);
  remote::send<acquire_at_home>(name.home(), kind, mode, name, place, to);
}

const wire::handler_entry& lock_asking() { return message::registered<acquire_at_home>::entry; }

void release_lock(sync_kind kind, key name, lock_ticket ticket) {
  lock_home& here = *lock_homes;
  if (name.home() == here.me) return here.release(kind, name, here.me, ticket);
  remote::send<release_at_home>(name.home(), kind, name, ticket);
}

void end_lock(sync_kind kind, key name) {
  check_made(kind, name);
  lock_home& here = *lock_homes;
  if (name.home() == here.me) return here.end(kind, name, here.me);
  remote::send<end_at_home>(name.home(), kind, name);
}

}  // namespace tsubu::data
