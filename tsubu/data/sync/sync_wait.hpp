// What errors and deadlock reports say of locks, counters and barriers, and of the tasks that wait for them.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/data/key.hpp"

namespace tsubu::data {

enum class sync_kind : std::uint8_t { lock, rw_lock, counter, barrier };

// "lock 3 of PE 0"
std::string describe(sync_kind kind, key name);

// What wait_record::object points to, where a task waits for one of the texts below.
struct sync_wait {
  sync_kind kind;
  key name;
};
inline constexpr char turn_text[] = "its turn";
inline constexpr char zero_text[] = "zero";
inline constexpr char arrivals_text[] = "the other arrivals";
inline constexpr char counter_text[] = "the answer";

// From now on the deadlock reports of this PE know of them. Local, cheap when done before.
void report_sync_waits();

// Ends the job unless `name` is that of something made.
void check_made(sync_kind kind, key name);
// Ends the job: PE `from` does `what` to what is no more, or was never there.
[[noreturn, gnu::cold]] void refuse_ended(sync_kind kind, key name, pe_id from, const std::string& what);

}  // namespace tsubu::data
