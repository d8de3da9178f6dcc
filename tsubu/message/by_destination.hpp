// Packets on their way to a corner of the grid, in the order of the PEs that they are for.
//
// A PE fills one batch for all PEs behind a corner, and each packet in it has a tag. Where many packets are for each of
// these PEs, it takes fewer bytes to put them in order and to name each PE once; and then the PE in the corner need not
// look at each packet, but copies those for one PE as a whole, and that one executes them as a run that came straight.
//
// The order of the packets for one PE stays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tsubu::message {

class by_destination {
 public:
  // Where names have one byte.
  static constexpr std::size_t most = 256;

  // Puts the packets of a run in order, each of `bytes` bytes behind a tag of one; false, if that would not save bytes.
  bool sort(std::span<const std::byte> tagged, std::size_t bytes);

  // Calls f(name, its packets without tags) for each PE that has any, in the order of the names.
  template <class F>
  void for_each(F f) const {
    std::size_t begin = 0;
    for (std::size_t name = 0; name < most; ++name) {
      const std::size_t end = ends_[name];
      if (end != begin) f(static_cast<std::uint32_t>(name), std::span(sorted_).subspan(begin, end - begin));
      begin = end;
    }
  }

 private:
  template <std::size_t known_bytes>
  void move(std::span<const std::byte> tagged, std::size_t bytes);

  std::array<std::uint32_t, most> ends_{};  // of the packets for each, in bytes
  std::vector<std::byte> sorted_;
};

}  // namespace tsubu::message
