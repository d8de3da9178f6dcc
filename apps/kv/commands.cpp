#include "apps/kv/commands.hpp"

#include <limits>
#include <optional>

#include "apps/kv/lifetimes.hpp"
#include "apps/kv/numbers.hpp"
#include "apps/kv/resp.hpp"

namespace kv {

namespace {

struct set_options {
  bool if_absent = false;
  bool if_present = false;
  bool keep_time = false;
  bool get_old = false;
  std::int64_t expires = store::never;
};

// SET key value [NX | XX] [GET] [EX seconds | PX milliseconds | EXAT seconds | PXAT milliseconds | KEEPTTL]
std::optional<set_options> options_of(words request, std::int64_t now, std::string& reply) {
  set_options asked;
  const time_unit* unit = nullptr;
  std::string_view time;
  for (std::size_t i = 3; i < request.size(); ++i) {
    const time_unit* const found = time_unit_of(request[i]);
    if (is_word(request[i], "NX") && !asked.if_present) {
      asked.if_absent = true;
    } else if (is_word(request[i], "XX") && !asked.if_absent) {
      asked.if_present = true;
    } else if (is_word(request[i], "GET")) {
      asked.get_old = true;
    } else if (is_word(request[i], "KEEPTTL") && unit == nullptr) {
      asked.keep_time = true;
    } else if (found != nullptr && i + 1 < request.size() && (unit == nullptr || unit == found) && !asked.keep_time) {
      unit = found;
      time = request[++i];
    } else {
      return add_error(reply, "ERR syntax error"), std::nullopt;
    }
  }
  if (unit == nullptr) return asked;
  const std::optional<std::int64_t> number = integer_in(time);
  if (!number) return add_error(reply, no_integer), std::nullopt;
  const std::optional<std::int64_t> expires = *number > 0 ? when(*number, *unit, now) : std::nullopt;
  if (!expires) return add_error(reply, "ERR invalid expire time in 'set' command"), std::nullopt;
  asked.expires = *expires;
  return asked;
}

// Sets, and says if there is no room; what would be over already is removed.
bool put(words request, std::string_view value, std::int64_t expires, store& on, std::int64_t now, std::string& reply) {
  if (expires != store::never && expires <= now) {
    on.remove(request[1], now);
    return true;
  }
  if (on.set(request[1], value, expires, now)) return true;
  add_error(reply, no_room);
  return false;
}

void execute_set(words request, store& on, std::int64_t now, protocol as, std::string& reply) {
  set_options asked;
  if (request.size() > 3) {
    const std::optional<set_options> given = options_of(request, now, reply);
    if (!given) return;
    asked = *given;
  }
  if (asked.if_absent || asked.if_present || asked.keep_time || asked.get_old) {
    const std::string* const old = on.find(request[1], now);
    if (asked.keep_time && old != nullptr) asked.expires = on.expiry(request[1]);
    const bool stays = old != nullptr ? asked.if_absent : asked.if_present;
    if (asked.get_old) {
      const std::size_t from = reply.size();
      old != nullptr ? add_bulk(reply, *old) : add_null(reply, as);
      std::string trouble;
      if (!stays && !put(request, request[2], asked.expires, on, now, trouble))
        reply.replace(from, reply.npos, trouble);
      return;
    }
    if (stays) return add_null(reply, as);
  }
  if (put(request, request[2], asked.expires, on, now, reply)) add_status(reply, "OK");
}

// SETEX key seconds value, PSETEX key milliseconds value
void execute_setex(command what, words request, store& on, std::int64_t now, std::string& reply) {
  const bool seconds = what == command::setex;
  const std::optional<std::int64_t> number = integer_in(request[2]);
  if (!number) return add_error(reply, no_integer);
  const std::optional<std::int64_t> expires =
      *number > 0 ? when(*number, *time_unit_of(seconds ? "EX" : "PX"), now) : std::nullopt;
  if (!expires)
    return add_error(reply, std::string("ERR invalid expire time in '") + (seconds ? "setex" : "psetex") + "' command");
  if (put(request, request[3], *expires, on, now, reply)) add_status(reply, "OK");
}

// INCR, DECR, INCRBY and DECRBY: the time of the key stays.
void execute_incr(command what, words request, store& on, std::int64_t now, std::string& reply) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t by = 1;
  if (request.size() > 2) {
    const std::optional<std::int64_t> given = integer_in(request[2]);
    if (!given) return add_error(reply, no_integer);
    by = *given;
  }
  if (what == command::decr || what == command::decrby) {
    if (by == least) return add_error(reply, "ERR decrement would overflow");
    by = -by;
  }
  std::int64_t number = 0;
  std::int64_t expires = store::never;
  if (const std::string* const value = on.find(request[1], now); value != nullptr) {
    const std::optional<std::int64_t> old = integer_in(*value);
    if (!old) return add_error(reply, no_integer);
    number = *old;
    expires = on.expiry(request[1]);
  }
  if (__builtin_add_overflow(number, by, &number)) return add_error(reply, "ERR increment or decrement would overflow");
  if (!on.set(request[1], std::to_string(number), expires, now)) return add_error(reply, no_room);
  add_number(reply, number);
}

void execute_incrbyfloat(words request, store& on, std::int64_t now, std::string& reply) {
  constexpr std::string_view no_float = "ERR value is not a valid float";
  long double number = 0;
  std::int64_t expires = store::never;
  if (const std::string* const value = on.find(request[1], now); value != nullptr) {
    const std::optional<long double> old = float_in(*value);
    if (!old) return add_error(reply, no_float);
    number = *old;
    expires = on.expiry(request[1]);
  }
  const std::optional<long double> by = float_in(request[2]);
  if (!by) return add_error(reply, no_float);
  number += *by;
  if (!(number - number == 0)) return add_error(reply, "ERR increment would produce NaN or Infinity");
  const std::string text = text_of(number);
  if (!on.set(request[1], text, expires, now)) return add_error(reply, no_room);
  add_bulk(reply, text);
}

void execute_get(command what, words request, store& on, std::int64_t now, protocol as, std::string& reply) {
  const std::string* const value = on.find(request[1], now);
  if (what == command::strlen)
    return add_number(reply, value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
  if (value == nullptr) return add_null(reply, as);
  add_bulk(reply, *value);
  if (what == command::getdel) on.remove(request[1], now);
}

// DEL and EXISTS and their like, of keys of this store.
void count_keys(words request, bool remove, store& on, std::int64_t now, std::string& reply) {
  std::int64_t count = 0;
  for (const std::string_view key : request.subspan(1))
    count += (remove ? on.remove(key, now) : on.find(key, now) != nullptr) ? 1 : 0;
  add_number(reply, count);
}

void answer_config(words request, protocol as, std::string& reply) {
  // What clients ask for at their start; nothing is set here.
  struct setting {
    std::string_view name, value;
  };
  constexpr setting settings[] = {{"save", ""}, {"appendonly", "no"}, {"databases", "1"}, {"timeout", "0"}};
  if (!is_word(request[1], "GET")) return add_error(reply, "ERR only CONFIG GET is known here");
  if (request.size() < 3) return add_error(reply, "ERR wrong number of arguments for 'config|get' command");
  std::size_t pairs = 0;
  std::string text;
  for (const setting& one : settings) {
    for (const std::string_view asked : request.subspan(2)) {
      std::string name(one.name);
      for (char& c : name) c = static_cast<char>(c - 'a' + 'A');
      if (asked != "*" && !is_word(asked, name)) continue;
      ++pairs;
      add_bulk(text, one.name);
      add_bulk(text, one.value);
      break;
    }
  }
  add_map(reply, pairs, as);
  reply += text;
}

}  // namespace

void execute(command what, words request, store& on, std::int64_t now, protocol as, std::string& reply) {
  switch (what) {
    case command::get:
    case command::getdel:
    case command::strlen:
      return execute_get(what, request, on, now, as, reply);
    case command::set:
      return execute_set(request, on, now, as, reply);
    case command::setex:
    case command::psetex:
      return execute_setex(what, request, on, now, reply);
    case command::setnx: {
      const bool absent = on.find(request[1], now) == nullptr;
      if (!absent || put(request, request[2], store::never, on, now, reply)) add_number(reply, absent ? 1 : 0);
      return;
    }
    case command::incr:
    case command::decr:
    case command::incrby:
    case command::decrby:
      return execute_incr(what, request, on, now, reply);
    case command::incrbyfloat:
      return execute_incrbyfloat(request, on, now, reply);
    case command::del:
    case command::unlink:
      return count_keys(request, true, on, now, reply);
    case command::exists:
    case command::touch:
      return count_keys(request, false, on, now, reply);
    case command::dbsize:
      return add_number(reply, static_cast<std::int64_t>(on.size()));
    case command::flushall:
      on.clear();
      return add_status(reply, "OK");
    default:
      return execute_lifetime(what, request, on, now, reply);
  }
}

void answer(command what, words request, protocol as, std::string& reply) {
  switch (what) {
    case command::ping:
      if (request.size() == 1) return add_status(reply, "PONG");
      return add_bulk(reply, request[1]);
    case command::echo:
      return add_bulk(reply, request[1]);
    case command::command_list:
      return describe_commands(request, as, reply);
    case command::config:
      return answer_config(request, as, reply);
    case command::select: {
      const std::optional<std::int64_t> number = integer_in(request[1]);
      if (!number) return add_error(reply, no_integer);
      if (*number != 0) return add_error(reply, "ERR DB index is out of range");
      return add_status(reply, "OK");
    }
    case command::auth:
      // Whoever reaches the server may use it; so does the real one answer that has no password.
      if (request.size() == 2)
        return add_error(reply,
                         "ERR AUTH <password> called without any password configured for the default user. Are you "
                         "sure your configuration is correct?");
      if (request[1] != "default")
        return add_error(reply, "WRONGPASS invalid username-password pair or user is disabled.");
      return add_status(reply, "OK");
    default:
      return add_status(reply, "OK");
  }
}

}  // namespace kv
