// Promise: PEs that call different collectives at the same point, or with other types, operations or roots, are found
// out, and both lines are named; so is a PE that does not call one at all. mixed_collectives KIND.
#include <functional>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

int larger(int a, int b) { return a > b ? a : b; }
int smaller(int a, int b) { return a < b ? a : b; }

task<int> program(arguments args) {
  const std::string kind = args[1];
  const bool one = this_pe() == 0;
  if (kind == "collective" && one) co_await barrier();
  if (kind == "collective" && !one) co_await all_reduce(1, reduce::plus);
  if (kind == "type" && one) co_await all_reduce(1.5, reduce::plus);
  if (kind == "type" && !one) co_await all_reduce(1, reduce::plus);
  if (kind == "operation" && one) co_await all_reduce(1, reduce::plus);
  if (kind == "operation" && !one) co_await all_reduce(1, reduce::max);
  if (kind == "function" && one) co_await all_reduce(1, larger);
  if (kind == "function" && !one) co_await all_reduce(1, smaller);
  if (kind == "lambda" && one) co_await all_reduce(1, [](int a, int b) { return a + b; });
  if (kind == "lambda" && !one) co_await all_reduce(1, [](int a, int b) { return a * b; });
  if (kind == "scan" && one) co_await scan(1, std::plus<int>());
  if (kind == "scan" && !one) co_await scan(1, std::multiplies<int>());
  if (kind == "root" && one) co_await broadcast(1, 0);
  if (kind == "root" && !one) co_await broadcast(1, 1);
  if (kind == "no-root") co_await broadcast(1, pe_count());
  if (kind == "alone" && one) co_await broadcast(1, 0);
  if (kind == "too-many" && !one) co_await gather(1, 0);
  if (kind == "same" && one) co_await all_reduce(1, larger);
  if (kind == "same" && !one) co_await all_reduce(1, larger);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
