#include "tsubu/transport/shared/process_copy.hpp"

#include <sys/uio.h>

namespace tsubu::transport {

bool copy_from_process(pid_t of, std::byte* to, const std::byte* from, std::size_t bytes) {
  while (bytes != 0) {
    const iovec here{to, bytes};
    const iovec there{const_cast<std::byte*>(from), bytes};
    const ssize_t copied = process_vm_readv(of, &here, 1, &there, 1, 0);
    if (copied <= 0) return false;
    to += copied;
    from += copied;
    bytes -= static_cast<std::size_t>(copied);
  }
  return true;
}

}  // namespace tsubu::transport
