#include "tsubu/data/sync/counter_home.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu::data {
namespace {

struct counter_asked {
  using layout = wire::layout<counter_operation, key, long, remote::reply_address>;
  static void call(const message::delivery& d, counter_operation what, key name, long argument,
                   remote::reply_address to) {
    counter_record& record = counter_homes->find(name, d.from, verb_of(what));
    if (const auto result = record.operate(what, argument)) {
      return answer_counter(name, to, *result, what != counter_operation::write && record.may_keep_zero(d.from));
    }
    record.wait(what, argument, to);
  }
};

struct counter_answered {
  using layout = wire::layout<std::uint32_t, std::uint32_t, key, long, bool>;
  static constexpr message_kind kind = message_kind::reply;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name, long value,
                   bool may_keep) {
    if (may_keep) counter_homes->zeros.insert(name.bits());
    auto* const sink = remote::take_sink<long>(d.from, slot, generation);
    if (sink != nullptr) sink->value(value);
  }
};

struct zero_forgotten {
  using layout = wire::layout<key>;
  static void call(const message::delivery& d, key name) {
    counter_homes->find(name, d.from, "forgets a zero of").forgotten(d.from);
  }
};

struct forget_zero {
  using layout = wire::layout<key, bool>;
  static void call(const message::delivery& d, key name, bool say_so) {
    counter_homes->zeros.erase(name.bits());
    if (say_so) remote::send<zero_forgotten>(d.from, name);
  }
};

struct end_counter_at_home {
  using layout = wire::layout<key>;
  static void call(const message::delivery& d, key name) { counter_homes->end(name, d.from); }
};

std::vector<std::string> report_counters() {
  std::vector<std::string> lines;
  counter_homes->counters.for_each([&](const counter_record& record) {
    if (record.is_waited_for()) lines.push_back(record.report());
  });
  return lines;
}

}  // namespace

counter_home::counter_home() : me(this_pe()) { remote::current_pe->waits.report_by(&report_counters); }

counter_record& counter_home::find(key name, pe_id from, const char* what) const {
  counter_record* const record = name.home() == me ? counters.find(name) : nullptr;
  if (record == nullptr) [[unlikely]]
    refuse_ended(sync_kind::counter, name, from, what);
  return *record;
}

void counter_home::end(key name, pe_id from) {
  counter_record& record = find(name, from, "ends");
  require(!record.is_waited_for(), "PE {} ends {}, for which tasks wait", from,
          [&] { return describe(sync_kind::counter, name); });
  record.end();
  counters.remove(name);
}

const char* verb_of(counter_operation what) {
  switch (what) {
    case counter_operation::read:
      return "reads";
    case counter_operation::fetch_decrement:
      return "decrements";
    case counter_operation::write:
      return "writes";
    case counter_operation::until_zero:
      return "waits for the zero of";
  }
  return "does what is not known to";  // bytes of a packet
}

void ask_counter(key name, counter_operation what, long argument, remote::reply_address to) {
  remote::send<counter_asked>(name.home(), what, name, argument, to);
}

const wire::handler_entry& counter_asking() { return message::registered<counter_asked>::entry; }

void answer_counter(key name, remote::reply_address to, long value, bool may_keep) {
  remote::send<counter_answered>(to.pe, to.slot, to.generation, name, value, may_keep);
}

void send_forget(pe_id to, key name, bool say_so) { remote::send<forget_zero>(to, name, say_so); }

void end_counter(key name) {
  check_made(sync_kind::counter, name);
  counter_home& here = *counter_homes;
  if (name.home() == here.me) return here.end(name, here.me);
  remote::send<end_counter_at_home>(name.home(), name);
}

}  // namespace tsubu::data
