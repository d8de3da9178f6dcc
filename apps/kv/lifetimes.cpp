#include "apps/kv/lifetimes.hpp"

#include <algorithm>
#include <array>

#include "apps/kv/commands.hpp"
#include "apps/kv/numbers.hpp"
#include "apps/kv/resp.hpp"

namespace kv {

namespace {

constexpr time_unit seconds{1000, true};
constexpr time_unit milliseconds{1, true};
constexpr time_unit seconds_of_unix{1000, false};
constexpr time_unit milliseconds_of_unix{1, false};

struct conditions {
  bool none_yet = false;  // NX
  bool some = false;      // XX
  bool later = false;     // GT; a key without a time goes last
  bool earlier = false;   // LT
};

std::optional<conditions> conditions_of(words request, std::string& reply) {
  conditions asked;
  for (const std::string_view word : request.subspan(3)) {
    if (is_word(word, "NX")) {
      asked.none_yet = true;
    } else if (is_word(word, "XX")) {
      asked.some = true;
    } else if (is_word(word, "GT")) {
      asked.later = true;
    } else if (is_word(word, "LT")) {
      asked.earlier = true;
    } else {
      return add_error(reply, "ERR Unsupported option " + std::string(word.substr(0, 128))), std::nullopt;
    }
  }
  if (asked.none_yet && (asked.some || asked.later || asked.earlier)) {
    add_error(reply, "ERR NX and XX, GT or LT options at the same time are not compatible");
    return std::nullopt;
  }
  if (asked.later && asked.earlier) {
    add_error(reply, "ERR GT and LT options at the same time are not compatible");
    return std::nullopt;
  }
  return asked;
}

bool hold(const conditions& asked, std::int64_t old, std::int64_t expires) {
  const bool timed = old != store::never;
  if ((asked.none_yet && timed) || (asked.some && !timed)) return false;
  if (asked.later && (!timed || expires <= old)) return false;
  return !(asked.earlier && timed && expires >= old);
}

void set_time(std::string_view name, const time_unit& unit, words request, store& on, std::int64_t now,
              std::string& reply) {
  const std::optional<std::int64_t> number = integer_in(request[2]);
  const std::optional<conditions> asked = conditions_of(request, reply);
  if (!asked) return;
  if (!number) return add_error(reply, no_integer);
  const std::optional<std::int64_t> expires = when(*number, unit, now);
  if (!expires) return add_error(reply, "ERR invalid expire time in '" + std::string(name) + "' command");
  if (on.find(request[1], now) == nullptr || !hold(*asked, on.expiry(request[1]), *expires))
    return add_number(reply, 0);
  if (*expires <= now) {
    on.remove(request[1], now);
  } else if (!on.set_expiry(request[1], *expires)) {
    return add_error(reply, no_room);
  }
  add_number(reply, 1);
}

// -2: there is no such key. -1: it stays.
void tell_time(const time_unit& unit, words request, store& on, std::int64_t now, std::string& reply) {
  if (on.find(request[1], now) == nullptr) return add_number(reply, -2);
  const std::int64_t expires = on.expiry(request[1]);
  if (expires == store::never) return add_number(reply, -1);
  if (!unit.from_now) return add_number(reply, expires / unit.ms);
  const std::int64_t left = std::max<std::int64_t>(expires - now, 0);
  add_number(reply, left / unit.ms + (left % unit.ms >= (unit.ms + 1) / 2 && unit.ms > 1 ? 1 : 0));
}

}  // namespace

const time_unit* time_unit_of(std::string_view word) {
  if (is_word(word, "EX")) return &seconds;
  if (is_word(word, "PX")) return &milliseconds;
  if (is_word(word, "EXAT")) return &seconds_of_unix;
  if (is_word(word, "PXAT")) return &milliseconds_of_unix;
  return nullptr;
}

std::optional<std::int64_t> when(std::int64_t number, const time_unit& unit, std::int64_t now) {
  std::int64_t ms = 0;
  if (__builtin_mul_overflow(number, unit.ms, &ms)) return std::nullopt;
  if (unit.from_now && __builtin_add_overflow(ms, now, &ms)) return std::nullopt;
  return ms;
}

void execute_lifetime(command what, words request, store& on, std::int64_t now, std::string& reply) {
  switch (what) {
    case command::expire:
      return set_time("expire", seconds, request, on, now, reply);
    case command::pexpire:
      return set_time("pexpire", milliseconds, request, on, now, reply);
    case command::expireat:
      return set_time("expireat", seconds_of_unix, request, on, now, reply);
    case command::pexpireat:
      return set_time("pexpireat", milliseconds_of_unix, request, on, now, reply);
    case command::ttl:
      return tell_time(seconds, request, on, now, reply);
    case command::pttl:
      return tell_time(milliseconds, request, on, now, reply);
    case command::expiretime:
      return tell_time(seconds_of_unix, request, on, now, reply);
    case command::pexpiretime:
      return tell_time(milliseconds_of_unix, request, on, now, reply);
    default: {  // PERSIST
      const bool timed = on.find(request[1], now) != nullptr && on.expiry(request[1]) != store::never;
      if (timed) on.set_expiry(request[1], store::never);
      return add_number(reply, timed ? 1 : 0);
    }
  }
}

}  // namespace kv
