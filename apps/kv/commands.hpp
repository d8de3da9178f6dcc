// What the commands are, and what those of one key do to the store of its PE. Knows nothing of PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "apps/kv/store.hpp"

namespace kv {

enum class command {
  unknown,
  // answered by whoever is asked
  ping,
  echo,
  command_list,
  config,
  select,
  quit,
  shutdown,
  // of one key, by its PE
  get,
  set,
  incr,
  // of several keys, by the PEs of each
  del,
  exists,
  mget,
  // by all PEs
  dbsize,
  flushall,
};

struct command_facts {
  std::string_view name;
  command which;
  std::size_t least_words;  // with its name
  std::size_t most_words;
};

using words = std::span<const std::string_view>;

// Whether `word` is that, in capitals or not.
bool is_word(std::string_view word, std::string_view in_capitals);

// Names are in capitals or not. An unknown one has the name "".
const command_facts& facts_of(std::string_view name);

constexpr bool has_one_key(command c) { return c == command::get || c == command::set || c == command::incr; }

constexpr bool asks_several(command c) {
  return c == command::mget || c == command::del || c == command::exists || c == command::dbsize ||
         c == command::flushall;
}

// Does what a command of one key asks for, and adds the reply.
void execute(command what, words request, store& on, std::int64_t now, std::string& reply);

// The reply of a command that asks nobody: those of the first line above, without shutdown.
void answer(command what, words request, std::string& reply);

// "ERR unknown command ..", "ERR wrong number of arguments ..", or nothing if it can be executed.
std::string trouble_with(const command_facts& facts, words request);

}  // namespace kv
