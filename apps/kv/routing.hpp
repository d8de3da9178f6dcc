// Which PEs a request asks. A key lives on the PE that its hash names: a request for a key of this PE is executed on
// the spot, one for another's is sent there whole, as a message, and its reply is waited for in its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apps/kv/commands.hpp"
#include "apps/kv/replies.hpp"
#include "apps/kv/store.hpp"
#include "tsubu/outside/connection.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

// Once on each PE, before any request: no keys yet. The seed is the same on all PEs.
void open_keys(std::uint64_t seed, std::size_t most_bytes);

// Where a key lives, and the keys of this PE.
tsubu::pe_id owner_of(std::string_view key);
store& keys_here();

// A command of one key. False: its key is another PE's, and too much is on the way: ask_owner_later() it is.
bool ask_owner(command what, words request, protocol as, replies& to);
tsubu::task<void> ask_owner_later(command what, words request, protocol as, replies& to);

// A command of several keys or of all PEs. Its replies are written while they come where they are many.
tsubu::task<void> ask_several(command what, words request, protocol as, replies& to,
                              const tsubu::outside::connection& with);

}  // namespace kv
