// Which sanitizer the running program has been linked with, and what it is told.
//
// A program may be compiled with -fsanitize=address or -fsanitize=thread and link libraries of Tsubu that are not. What
// these do is then right but not seen, and it is told here: through functions of the sanitizer's that are null in a
// program without one (weak symbols). sanitizer.hpp asks the compiler instead, of one source file; what is inline in
// headers must come to the same with either answer, since the program's files and the libraries share it.
#pragma once

#include <cstddef>

#include "tsubu/base/sanitizer.hpp"

// As <sanitizer/...> declares them, which not every compiler brings along.
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(void const volatile* at, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* at, std::size_t bytes);
[[gnu::weak]] void __lsan_register_root_region(const void* at, std::size_t bytes);
[[gnu::weak]] void __lsan_unregister_root_region(const void* at, std::size_t bytes);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** kept, const void* bottom, std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* kept, const void** bottom, std::size_t* bytes);
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void __tsan_acquire(void* at);
[[gnu::weak]] void __tsan_release(void* at);
}

namespace tsubu::sanitizer {

inline bool has_address() { return __sanitizer_start_switch_fiber != nullptr; }
inline bool has_thread() { return __tsan_switch_to_fiber != nullptr; }

// ThreadSanitizer does not see the atomic operations of files that are compiled without it. These say that what was
// done before a release of `at` has been done where a thread acquires it: they stand beside such an operation of that
// order, in front of a store and behind a load, and are no synchronisation themselves. In a file that it does see they
// are nothing, so that a wrong order is found there.
inline void acquired([[maybe_unused]] const void* at) {
#if !TSUBU_TSAN
  if (__tsan_acquire != nullptr) [[unlikely]]
    __tsan_acquire(const_cast<void*>(at));
#endif
}
inline void releases([[maybe_unused]] const void* at) {
#if !TSUBU_TSAN
  if (__tsan_release != nullptr) [[unlikely]]
    __tsan_release(const_cast<void*>(at));
#endif
}

}  // namespace tsubu::sanitizer
