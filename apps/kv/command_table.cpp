#include "apps/kv/command_table.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace kv {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

using enum asks;

// Those that are asked for most come first: they are looked for one by one.
constexpr std::array all{
    command_facts{"GET", command::get, owner, 2, 2, 'r', 1, 1, 1},
    command_facts{"SET", command::set, owner, 3, any, 'w', 1, 1, 1},
    command_facts{"INCR", command::incr, owner, 2, 2, 'w', 1, 1, 1},
    command_facts{"MGET", command::mget, owners, 2, any, 'r', 1, -1, 1},
    command_facts{"DEL", command::del, owners, 2, any, 'w', 1, -1, 1},
    command_facts{"PING", command::ping, itself, 1, 2},
    command_facts{"INCRBY", command::incrby, owner, 3, 3, 'w', 1, 1, 1},
    command_facts{"DECR", command::decr, owner, 2, 2, 'w', 1, 1, 1},
    command_facts{"DECRBY", command::decrby, owner, 3, 3, 'w', 1, 1, 1},
    command_facts{"INCRBYFLOAT", command::incrbyfloat, owner, 3, 3, 'w', 1, 1, 1},
    command_facts{"EXPIRE", command::expire, owner, 3, any, 'w', 1, 1, 1},
    command_facts{"PEXPIRE", command::pexpire, owner, 3, any, 'w', 1, 1, 1},
    command_facts{"EXPIREAT", command::expireat, owner, 3, any, 'w', 1, 1, 1},
    command_facts{"PEXPIREAT", command::pexpireat, owner, 3, any, 'w', 1, 1, 1},
    command_facts{"TTL", command::ttl, owner, 2, 2, 'r', 1, 1, 1},
    command_facts{"PTTL", command::pttl, owner, 2, 2, 'r', 1, 1, 1},
    command_facts{"EXPIRETIME", command::expiretime, owner, 2, 2, 'r', 1, 1, 1},
    command_facts{"PEXPIRETIME", command::pexpiretime, owner, 2, 2, 'r', 1, 1, 1},
    command_facts{"PERSIST", command::persist, owner, 2, 2, 'w', 1, 1, 1},
    command_facts{"SETEX", command::setex, owner, 4, 4, 'w', 1, 1, 1},
    command_facts{"PSETEX", command::psetex, owner, 4, 4, 'w', 1, 1, 1},
    command_facts{"SETNX", command::setnx, owner, 3, 3, 'w', 1, 1, 1},
    command_facts{"GETDEL", command::getdel, owner, 2, 2, 'w', 1, 1, 1},
    command_facts{"STRLEN", command::strlen, owner, 2, 2, 'r', 1, 1, 1},
    command_facts{"EXISTS", command::exists, owners, 2, any, 'r', 1, -1, 1},
    command_facts{"TOUCH", command::touch, owners, 2, any, 'r', 1, -1, 1},
    command_facts{"UNLINK", command::unlink, owners, 2, any, 'w', 1, -1, 1},
    command_facts{"DBSIZE", command::dbsize, owners, 1, 1, 'r'},
    command_facts{"FLUSHALL", command::flushall, owners, 1, 2, 'w'},
    command_facts{"MSET", command::mset, job, 3, any, 'w', 1, -1, 2},
    command_facts{"MULTI", command::multi, itself, 1, 1},
    command_facts{"EXEC", command::exec, job, 1, 1},
    command_facts{"DISCARD", command::discard, itself, 1, 1},
    command_facts{"UNWATCH", command::unwatch, itself, 1, 1},
    command_facts{"ECHO", command::echo, itself, 2, 2},
    command_facts{"SELECT", command::select, itself, 2, 2},
    command_facts{"HELLO", command::hello, itself, 1, any},
    command_facts{"AUTH", command::auth, itself, 2, 3},
    command_facts{"CLIENT", command::client, itself, 2, any},
    command_facts{"INFO", command::info, job, 1, any},
    command_facts{"COMMAND", command::command_list, itself, 1, any},
    command_facts{"CONFIG", command::config, itself, 2, any},
    command_facts{"RESET", command::reset, itself, 1, 1},
    command_facts{"QUIT", command::quit, itself, 1, any},
    command_facts{"SHUTDOWN", command::shutdown, job, 1, any},
};
constexpr command_facts none{"", command::unknown, itself, 0, any};

// Why clients that ask for these are told more than that nobody knows them.
struct refusal {
  std::string_view name;
  std::string_view why;
};
constexpr std::string_view no_channels = "kv has no publish and subscribe";
constexpr std::string_view no_watch = "kv watches no keys; MULTI and EXEC alone are isolated";
constexpr std::array refused{
    refusal{"SUBSCRIBE", no_channels},   refusal{"PSUBSCRIBE", no_channels},   refusal{"SSUBSCRIBE", no_channels},
    refusal{"UNSUBSCRIBE", no_channels}, refusal{"PUNSUBSCRIBE", no_channels}, refusal{"SUNSUBSCRIBE", no_channels},
    refusal{"PUBLISH", no_channels},     refusal{"SPUBLISH", no_channels},     refusal{"PUBSUB", no_channels},
    refusal{"WATCH", no_watch},
};

constexpr char capital(char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char small(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string in_small(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), small);
  return text;
}

std::string unknown(words request) {
  std::string text = "ERR unknown command '" + std::string(request[0].substr(0, 128)) + "', with args beginning with: ";
  std::size_t left = 128;
  for (const std::string_view word : request.subspan(1)) {
    if (left == 0) break;
    const std::string_view begin = word.substr(0, left);
    text += '\'';
    text += begin;
    text += "' ";
    left -= std::min(left, begin.size() + 3);
  }
  return text;
}

void describe(const command_facts& one, std::string& reply) {
  add_array(reply, 10);
  add_bulk(reply, in_small(one.name));
  const auto least = static_cast<std::int64_t>(one.least_words);
  add_number(reply, one.least_words == one.most_words ? least : -least);
  add_array(reply, one.use == '-' ? 0 : 1);
  if (one.use != '-') add_status(reply, one.use == 'w' ? "write" : "readonly");
  add_number(reply, one.first_key);
  add_number(reply, one.last_key);
  add_number(reply, one.key_step);
  for (int later_part = 0; later_part < 4; ++later_part) add_array(reply, 0);  // categories, tips, keys, subcommands
}

}  // namespace

bool is_word(std::string_view word, std::string_view in_capitals) {
  if (word.size() != in_capitals.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (capital(word[i]) != in_capitals[i]) return false;
  }
  return true;
}

const command_facts& facts_of(std::string_view name) {
  for (const command_facts& one : all) {
    if (is_word(name, one.name)) return one;
  }
  return none;
}

std::string trouble_with(const command_facts& facts, words request) {
  if (facts.which == command::unknown) {
    for (const refusal& one : refused) {
      if (is_word(request[0], one.name))
        return "ERR " + std::string(one.name) + " is not supported: " + std::string(one.why);
    }
    return unknown(request);
  }
  const bool odd = facts.which == command::mset && request.size() % 2 == 0;
  if (request.size() < facts.least_words || request.size() > facts.most_words || odd)
    return "ERR wrong number of arguments for '" + in_small(facts.name) + "' command";
  return "";
}

std::string trouble_with_subcommand(std::string_view command, words request, std::size_t least, std::size_t most) {
  if (request.size() >= least && request.size() <= most) return "";
  return "ERR wrong number of arguments for '" + in_small(command) + '|' + in_small(request[1]) + "' command";
}

std::string unknown_subcommand(std::string_view command, std::string_view word) {
  return "ERR unknown subcommand '" + std::string(word.substr(0, 128)) + "'. Try " + std::string(command) + " HELP.";
}

void describe_commands(words request, protocol as, std::string& reply) {
  if (request.size() == 1) {
    add_array(reply, all.size());
    for (const command_facts& one : all) describe(one, reply);
  } else if (is_word(request[1], "COUNT")) {
    if (const std::string trouble = trouble_with_subcommand("COMMAND", request, 2, 2); !trouble.empty())
      return add_error(reply, trouble);
    add_number(reply, static_cast<std::int64_t>(all.size()));
  } else if (is_word(request[1], "LIST")) {
    add_array(reply, all.size());
    for (const command_facts& one : all) add_bulk(reply, in_small(one.name));
  } else if (is_word(request[1], "INFO")) {
    if (request.size() == 2) return describe_commands(request.first(1), as, reply);
    // A few words could make a reply of many megabytes.
    if (request.size() > 2 + 4 * all.size()) return add_error(reply, "ERR more names than there are commands");
    add_array(reply, request.size() - 2);
    for (const std::string_view name : request.subspan(2)) {
      const command_facts& one = facts_of(name);
      if (one.which == command::unknown) {
        add_null_array(reply, as);
      } else {
        describe(one, reply);
      }
    }
  } else if (is_word(request[1], "DOCS")) {
    add_map(reply, 0, as);
  } else {
    add_error(reply, unknown_subcommand("COMMAND", request[1]));
  }
}

}  // namespace kv
