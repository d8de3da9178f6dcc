// What a recorder is told of an instruction that is about to be executed.
#pragma once

#include "abcl/machine/execution_unit.hpp"

namespace abcl::machine {

struct state {
  std::uint32_t object;
  const word* registers;
  std::uint64_t clocks;  // not yet told
};

// Returns the mark of what is sent; 0: it has none.
std::uint32_t tell(recorder& to, const execution_unit& by, const instruction& i, const state& at);

}  // namespace abcl::machine
