#include "apps/program/progress.hpp"

#include "tsubu/remote/pe.hpp"

namespace program {

void progress::step(std::string_view what, std::int64_t done, std::int64_t of) {
  if (tsubu::this_pe() == 0) at(what, done, of);
}

}  // namespace program
