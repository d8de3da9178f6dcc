// Sleeping on a word of memory until another changes it, be it a thread of this process or of another that maps the
// same memory: futex(2).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tsubu::transport {

// Who may touch a word or an account of fences: the threads of this process, or also those of others.
enum class reach : std::uint8_t { process, machine };

// Sleeps while `word` is `expected`, at most so long. May return early. Returns at once if it is another number
// already.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::microseconds at_most,
                reach sharers);

// Wakes one, or all, of those that sleep on `word`.
void futex_wake_one(std::atomic<std::uint32_t>& word, reach sharers);
void futex_wake_all(std::atomic<std::uint32_t>& word, reach sharers);

}  // namespace tsubu::transport
