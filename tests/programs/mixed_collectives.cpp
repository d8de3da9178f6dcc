// Promise: PEs that call different collectives at the same point are found out.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

task<int> program(arguments) {
  if (this_pe() == 0) {
    co_await all_reduce(1.5, reduce::plus);
  } else {
    co_await all_reduce(1, reduce::plus);
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
