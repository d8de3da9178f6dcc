// Where the running stack ends now.
//
// __builtin_frame_address(0) tells about the same, but it gives each function that it is inlined into a frame pointer:
// one register less in every loop that sends or awaits.
#pragma once

#include <cstdint>

namespace tsubu::detail {

[[gnu::always_inline]] inline std::uintptr_t stack_pointer() noexcept {
#if defined(__x86_64__)
  std::uintptr_t here;
  asm("mov %%rsp, %0" : "=r"(here));
  return here;
#elif defined(__aarch64__)
  std::uintptr_t here;
  asm("mov %0, sp" : "=r"(here));
  return here;
#else
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
}

}  // namespace tsubu::detail
