// Which commands there are: their names, how many words they have, who is asked, and what COMMAND says of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "apps/kv/resp.hpp"

namespace kv {

enum class command : std::uint8_t {
  unknown,
  // of one key
  get,
  set,
  incr,
  decr,
  incrby,
  decrby,
  incrbyfloat,
  expire,
  pexpire,
  expireat,
  pexpireat,
  ttl,
  pttl,
  expiretime,
  pexpiretime,
  persist,
  setex,
  psetex,
  setnx,
  getdel,
  strlen,
  // of several keys, or of all
  mget,
  del,
  unlink,
  exists,
  touch,
  dbsize,
  flushall,
  mset,
  // of the connection, or of nobody
  ping,
  echo,
  select,
  command_list,
  config,
  hello,
  auth,
  client,
  reset,
  quit,
  multi,
  discard,
  unwatch,
  exec,
  info,
  shutdown,
};

// Who has to be asked.
enum class asks : std::uint8_t {
  itself,  // the conversation with the client knows the reply
  owner,   // the PE of its one key
  owners,  // the PEs of its keys, or all of them: each for its part
  job,     // all PEs for something else, or in the order of transactions
};

struct command_facts {
  std::string_view name;  // in capitals
  command which;
  asks whom;
  std::size_t least_words;  // with its name
  std::size_t most_words;
  char use = '-';     // of keys: w for writes, r for reads
  int first_key = 0;  // its place; 0: none
  int last_key = 0;   // from the end if negative
  int key_step = 0;
};

using words = std::span<const std::string_view>;

// Whether `word` is that, in capitals or not.
bool is_word(std::string_view word, std::string_view in_capitals);

// Names are in capitals or not. An unknown one has the name "".
const command_facts& facts_of(std::string_view name);

// "ERR unknown command ..", "ERR wrong number of arguments ..", why there is no such command here, or nothing if it can
// be executed.
std::string trouble_with(const command_facts& facts, words request);

// COMMAND and what may follow it.
void describe_commands(words request, protocol as, std::string& reply);

// The same for a command's subcommand, whose words are counted with both names.
std::string trouble_with_subcommand(std::string_view command, words request, std::size_t least, std::size_t most);
std::string unknown_subcommand(std::string_view command, std::string_view word);

}  // namespace kv
