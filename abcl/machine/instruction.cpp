#include "abcl/machine/instruction.hpp"

namespace abcl::machine {

namespace {

std::int8_t register_of(code::value v) {
  switch (v) {
    case code::none:
      return no_register;
    case code::segment:
      return segment_register;
    case code::node:
      return node_register;
    case code::frame:
      return frame_register;
    default:
      return static_cast<std::int8_t>(v);
  }
}

}  // namespace

instruction decoded(const code::instruction& from) {
  return {.what = from.what,
          .d = register_of(from.d),
          .a = register_of(from.a),
          .b = register_of(from.b),
          .c = register_of(from.c),
          .is_immediate = from.b == code::none,
          .note = from.note,
          .t = from.t,
          .k = from.k,
          .u = from.u,
          .site = from.site};
}

}  // namespace abcl::machine
