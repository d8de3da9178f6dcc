// Memory that several processes of one machine and one user map.
//
// It is a file that has no name (memfd_create(2)): nothing of it can be left behind, however the processes end, and no
// limit of /dev/shm applies. Another process opens it through /proc, which the system allows to the same user only.
// The other processes must belong to the same PID namespace, and be real ones (an MPI whose ranks are threads has no
// use for this); where that is not so, open() says so.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tsubu::transport {

class segment {
 public:
  // What one process tells the others so that they find its segment.
  struct ticket {
    pid_t pid = 0;
    int descriptor = -1;
    std::uint64_t bytes = 0;
    std::uint64_t mark = 0;  // stands in the segment's first word
  };

  // What the system has refused: which call, and why.
  enum class call : int { none, memfd_create, fchmod, ftruncate, mmap, open, no_file_of_it };
  struct refusal {
    call what = call::none;
    int error = 0;
    // "memfd_create(): Function not implemented"
    std::string text() const;
  };

  // A new one, all zero but for its mark; or nothing, where the system has none to give.
  static std::optional<segment> make(std::size_t bytes, refusal* why = nullptr);

  // That of another process, which keeps it until all have opened it.
  static std::optional<segment> open(const ticket& of, refusal* why = nullptr);

  // The most bytes, of at most so many, a power of two, of which this process can map as much again: a segment leaves
  // as much to all else, under whatever limit.
  static std::size_t room(std::size_t at_most);

  segment(segment&& other) noexcept;
  segment& operator=(segment&& other) noexcept;
  ~segment();

  const ticket& own_ticket() const { return ticket_; }
  std::byte* base() const { return base_; }
  std::size_t bytes() const { return ticket_.bytes; }

  // No other process will open it from now on; it stays mapped.
  void close();

 private:
  segment() = default;
  bool map(int descriptor);

  ticket ticket_;
  std::byte* base_ = nullptr;
};

}  // namespace tsubu::transport
