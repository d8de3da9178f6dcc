// Runs whose packets are executed one by one, each by a call through a pointer.
//
// The loop of run_loop.hpp is compiled for each handler, so that what is short becomes part of it. That costs compile
// time and code with every function and method that is sent to. What is executed seldom, or takes long, is left to this
// loop, which is compiled once.
#pragma once

#include <cstddef>

#include "tsubu/message/handler_traits.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

// Executes one packet, whose bytes begin at `packet`; it may throw. `around` is what lives around the run.
using packet_function = void (*)(void* around, const delivery& d, const std::byte* packet);

// Executes one packet of its own length, with the run for what is said of bad bytes; it throws nothing.
using variable_packet_function = void (*)(void* around, const wire::run& r, const delivery& d, const std::byte* begin,
                                          const std::byte* end);

// Execute all packets of a run for `handler`, also those that came over other PEs, and return how many they were. What
// leaves the handler goes to the endpoint's escape hook.
std::size_t execute_one_by_one(const wire::run& r, const wire::handler_entry& handler, void* around,
                               packet_function execute);
std::size_t execute_one_by_one(const wire::run& r, void* around, variable_packet_function execute);

// The exception that is being handled has left the handler: it goes to the endpoint's escape hook.
[[gnu::cold]] void escaped_now(const wire::handler_entry& handler);

}  // namespace tsubu::message
