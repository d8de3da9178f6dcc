// How much memory reading an input takes: under AddressSanitizer each allocation is counted, and more than 64 MiB at a
// time is a finding. Elsewhere nothing is counted.
#pragma once

namespace tsubu::fuzz {

// Once, before the first input.
void watch_memory();

// What is allocated while it lives, is counted.
class memory_account {
 public:
  memory_account();
  ~memory_account();
  memory_account(const memory_account&) = delete;
  memory_account& operator=(const memory_account&) = delete;
};

}  // namespace tsubu::fuzz
