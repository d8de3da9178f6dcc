// Accesses to shared memory and to stacks that memory.h cannot do by itself.
//
// A load that finds no valid line gives what was there when the data layer did it, in memory of its own; a store that
// finds none is done by the data layer, where the value is. So neither is done in vain, however often others take the
// block away before the thread runs again; and what comes with the answer is marked if it is still here then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsubu/eulash/atomic_change.hpp"
#include "tsubu/eulash/directory.hpp"
#include "tsubu/eulash/thread.hpp"

namespace tsubu::placed {

// n bytes at the address, wherever they are, to or from private memory. Both may wait.
void copy_out(std::uint64_t address, void* to, std::size_t n);
void copy_in(std::uint64_t address, const void* from, std::size_t n);
// Private memory, or this process's own stacks, or any where memory is one: used as it is.
bool is_plain(std::uint64_t address);

// Marks the lines of the block as the data layer says that they may be used here.
void mark_if_here(const known_block& b);

// The block of an offset; of no bytes where nothing is allocated. May wait.
known_block find_block(std::uint64_t offset);

// An atomic operation; gives the value before. May wait.
std::uint64_t change_atomically(std::uint64_t address, const atomic_change& change);

}  // namespace tsubu::placed
