// What the machine does for a program itself: texts and arrays, output, the library, memory for its own handlers.
#pragma once

#include <cstdint>
#include <string>

#include "abcl/machine/heap.hpp"
#include "abcl/machine/node_memory.hpp"
#include "abcl/machine/surroundings.hpp"
#include "abcl/registers/link.hpp"
#include "abcl/runtime/late.hpp"

namespace abcl::machine {

class services {
 public:
  services(int node, node_memory& words, heap& values, surroundings& outside)
      : node_(node), memory_(words), heap_(values), outside_(outside) {}

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
  word of_texts(const request& r);
  // A message has come to an object that has ended. Who waits for a reply to it is told.
  void refuse(word message, const registers::image& of);
  void refuse_all(std::uint32_t object, const registers::image& of);
  [[noreturn]] void fail(const request& r, const std::string& what);

  const int node_;
  node_memory& memory_;
  heap& heap_;
  surroundings& outside_;
  late_messages late_;
  std::string line_;  // that is put together
};

}  // namespace abcl::machine
