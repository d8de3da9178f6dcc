// Reading the memory of another process of the same user: process_vm_readv(2). Not every system allows it.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace tsubu::transport {

// Copies `bytes` bytes from an address of another process. False, with errno set, if the system does not.
bool copy_from_process(pid_t of, std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace tsubu::transport
