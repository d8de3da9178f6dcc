// Memory that a program has freed stays with its process, for what it will need next.
//
// glibc gives a freed block of 128 KiB or more back to the system, and what is free at the end of its heap, too. For
// the next one the system clears fresh pages: 256 page faults for each MiB, which take several times as long as to copy
// it. Programs that send large values make and drop such a block for each of them: a broadcast of 1 MiB to 8 ranks on 2
// cores took 8.0 ms so, and takes 2.0.
#pragma once

#include <cstddef>

namespace tsubu {

// Keeps up to so many free bytes in each heap, and takes blocks of up to half of that, but of no more than 32 MiB, from
// there. Does nothing where the environment tells the allocator its thresholds (MALLOC_TRIM_THRESHOLD_,
// MALLOC_MMAP_THRESHOLD_, or glibc.malloc in GLIBC_TUNABLES), or where it is not glibc's.
void keep_freed_memory(std::size_t bytes);

}  // namespace tsubu
