// What the machine does for a program itself: texts and arrays, output, the library, memory for its own handlers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "abcl/machine/heap.hpp"
#include "abcl/machine/held_packets.hpp"
#include "abcl/machine/node_memory.hpp"
#include "abcl/machine/surroundings.hpp"
#include "abcl/registers/link.hpp"
#include "abcl/runtime/late.hpp"

namespace abcl::machine {

// How many segments are made when there are none in stock: no more than are made between two collections.
inline std::uint32_t segments_at_a_time(const registers::image& of) {
  constexpr std::uint32_t most = 16;
  return of.collect_every <= 0 ? most : std::min(most, static_cast<std::uint32_t>(of.collect_every));
}

class services {
 public:
  services(int node, node_memory& words, heap& values, held_packets& held, surroundings& outside)
      : node_(node), memory_(words), heap_(values), held_(held), outside_(outside) {}

  // The operands of the instruction, and where in the program it fails. `object`: the segment of who asks, or 0.
  struct request {
    code::service what;
    int u;
    word a, b, c;
    bool has_b;
    std::uint32_t object;
    int site;
  };
  // Its value, or 0.
  word call(const request& r, const registers::image& of);

 private:
  word make_array(const request& r, const code::layout& of);
  word length(word array);
  word& element(const request& r);
  void set_all(const request& r);
  word subarray(const request& r);
  void require_subarray(const request& r);
  void require_length(const request& r);
  void set_subarray(const request& r);
  word of_texts(const request& r);
  word of_collector(const request& r);
  word refers(word w);
  // A message has come to an object that has ended. Who waits for a reply to it is told.
  void refuse(word message, const registers::image& of);
  void refuse_all(std::uint32_t object, const registers::image& of);
  [[noreturn]] void fail(const request& r, const std::string& what);

  const int node_;
  node_memory& memory_;
  heap& heap_;
  held_packets& held_;
  surroundings& outside_;
  late_messages late_;
  std::string line_;  // that is put together
};

}  // namespace abcl::machine
