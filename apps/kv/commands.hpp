// What the commands of keys do to the store of a PE, and those that ask nobody. Knows nothing of PEs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/kv/command_table.hpp"
#include "apps/kv/store.hpp"

namespace kv {

// Executes a command of one key, or what one of several keys, or of all, asks of this store: it has the keys of this
// store only then, and its reply is a part of the whole one. now: as in store.hpp.
void execute(command what, words request, store& on, std::int64_t now, protocol as, std::string& reply);

// ECHO, SELECT, COMMAND, CONFIG and their like: those that need nothing but their words.
void answer(command what, words request, protocol as, std::string& reply);

inline constexpr std::string_view no_integer = "ERR value is not an integer or out of range";
inline constexpr std::string_view no_room = "OOM command not allowed when used memory > 'maxmemory'.";

}  // namespace kv
