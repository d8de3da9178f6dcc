#include "apps/kv/commands.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "apps/kv/resp.hpp"

namespace kv {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
constexpr std::array<command_facts, 15> all{{{"GET", command::get, 2, 2},
                                             {"SET", command::set, 3, any},
                                             {"INCR", command::incr, 2, 2},
                                             {"MGET", command::mget, 2, any},
                                             {"DEL", command::del, 2, any},
                                             {"EXISTS", command::exists, 2, any},
                                             {"PING", command::ping, 1, 2},
                                             {"ECHO", command::echo, 2, 2},
                                             {"DBSIZE", command::dbsize, 1, 1},
                                             {"FLUSHALL", command::flushall, 1, 2},
                                             {"COMMAND", command::command_list, 1, any},
                                             {"CONFIG", command::config, 2, any},
                                             {"SELECT", command::select, 2, 2},
                                             {"QUIT", command::quit, 1, any},
                                             {"SHUTDOWN", command::shutdown, 1, 2}}};
constexpr command_facts none{"", command::unknown, 0, any};

constexpr char capital(char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool is(std::string_view word, std::string_view in_capitals) {
  if (word.size() != in_capitals.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (capital(word[i]) != in_capitals[i]) return false;
  }
  return true;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr std::string_view no_number = "ERR value is not an integer or out of range";
constexpr std::string_view no_room = "OOM command not allowed when used memory > 'maxmemory'.";

struct set_options {
  bool if_absent = false;
  bool if_present = false;
  std::int64_t lives_ns = 0;  // 0: for ever
};

// SET key value [NX | XX] [EX seconds | PX milliseconds]
std::optional<set_options> options_of(words request, std::string& reply) {
  set_options asked;
  for (std::size_t i = 3; i < request.size(); ++i) {
    const bool seconds = is(request[i], "EX");
    if (is(request[i], "NX")) {
      asked.if_absent = true;
    } else if (is(request[i], "XX")) {
      asked.if_present = true;
    } else if ((seconds || is(request[i], "PX")) && i + 1 < request.size() && asked.lives_ns == 0) {
      const std::int64_t unit_ns = seconds ? 1'000'000'000 : 1'000'000;
      const std::optional<std::int64_t> time = number_in(request[++i]);
      if (!time) return add_error(reply, no_number), std::nullopt;
      // So far ahead that no sum with the clock overflows.
      if (*time <= 0 || *time > std::numeric_limits<std::int64_t>::max() / 4 / unit_ns)
        return add_error(reply, "ERR invalid expire time in 'set' command"), std::nullopt;
      asked.lives_ns = *time * unit_ns;
    } else {
      return add_error(reply, "ERR syntax error"), std::nullopt;
    }
  }
  if (asked.if_absent && asked.if_present) return add_error(reply, "ERR syntax error"), std::nullopt;
  return asked;
}

void execute_set(words request, store& on, std::int64_t now, std::string& reply) {
  set_options asked;
  if (request.size() > 3) {
    const std::optional<set_options> given = options_of(request, reply);
    if (!given) return;
    asked = *given;
    if (asked.if_absent || asked.if_present) {
      const bool present = on.find(request[1], now) != nullptr;
      if (present ? asked.if_absent : asked.if_present) return add_null(reply);
    }
  }
  const std::int64_t expires = asked.lives_ns == 0 ? store::never : now + asked.lives_ns;
  if (!on.set(request[1], request[2], expires, now)) return add_error(reply, no_room);
  add_status(reply, "OK");
}

void execute_incr(words request, store& on, std::int64_t now, std::string& reply) {
  const std::string* const value = on.find(request[1], now);
  std::int64_t number = 0;
  std::int64_t expires = store::never;
  if (value != nullptr) {
    const std::optional<std::int64_t> old = number_in(*value);
    if (!old) return add_error(reply, no_number);
    if (*old == std::numeric_limits<std::int64_t>::max())
      return add_error(reply, "ERR increment or decrement would overflow");
    number = *old;
    expires = on.expiry(request[1]);
  }
  if (!on.set(request[1], std::to_string(++number), expires, now)) return add_error(reply, no_room);
  add_number(reply, number);
}

}  // namespace

bool is_word(std::string_view word, std::string_view in_capitals) { return is(word, in_capitals); }

const command_facts& facts_of(std::string_view name) {
  for (const command_facts& one : all) {
    if (is(name, one.name)) return one;
  }
  return none;
}

std::string trouble_with(const command_facts& facts, words request) {
  if (facts.which == command::unknown) return "ERR unknown command '" + std::string(request[0].substr(0, 128)) + "'";
  if (request.size() < facts.least_words || request.size() > facts.most_words)
    return "ERR wrong number of arguments for '" + std::string(facts.name) + "' command";
  return "";
}

void execute(command what, words request, store& on, std::int64_t now, std::string& reply) {
  if (what == command::set) return execute_set(request, on, now, reply);
  if (what == command::incr) return execute_incr(request, on, now, reply);
  const std::string* const value = on.find(request[1], now);
  if (value == nullptr) return add_null(reply);
  add_bulk(reply, *value);
}

void answer(command what, words request, std::string& reply) {
  switch (what) {
    case command::ping:
      if (request.size() == 1) return add_status(reply, "PONG");
      return add_bulk(reply, request[1]);
    case command::echo:
      return add_bulk(reply, request[1]);
    case command::command_list:
      return add_array(reply, 0);
    case command::config:  // clients ask at their start: nothing is set here that they could ask for
      if (is(request[1], "GET")) return add_array(reply, 0);
      return add_error(reply, "ERR only CONFIG GET is known here");
    case command::select:
      if (request[1] == "0") return add_status(reply, "OK");
      return add_error(reply, "ERR DB index is out of range");
    default:
      return add_status(reply, "OK");
  }
}

}  // namespace kv
