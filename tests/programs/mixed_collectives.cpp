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
  const std::string mine = kind + (this_pe() == 0 ? "_first" : "_others");
  if (mine == "collective_first") co_await barrier();
  if (mine == "collective_others") co_await all_reduce(1, reduce::plus);
  if (mine == "type_first") co_await all_reduce(1.5, reduce::plus);
  if (mine == "type_others") co_await all_reduce(1, reduce::plus);
  if (mine == "operation_first") co_await all_reduce(1, reduce::plus);
  if (mine == "operation_others") co_await all_reduce(1, reduce::max);
  if (mine == "function_first") co_await all_reduce(1, larger);
  if (mine == "function_others") co_await all_reduce(1, smaller);
  if (mine == "lambda_first") co_await all_reduce(1, [](int a, int b) { return a + b; });
  if (mine == "lambda_others") co_await all_reduce(1, [](int a, int b) { return a * b; });
  if (mine == "scan_first") co_await scan(1, std::plus<int>());
  if (mine == "scan_others") co_await scan(1, std::multiplies<int>());
  if (mine == "root_first") co_await broadcast(1, 0);
  if (mine == "root_others") co_await broadcast(1, 1);
  if (kind == "no_root") co_await broadcast(1, pe_count());
  if (mine == "alone_first") co_await broadcast(1, 0);
  if (mine == "too_many_others") co_await gather(1, 0);
  if (mine == "same_first") co_await all_reduce(1, larger);
  if (mine == "same_others") co_await all_reduce(1, larger);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
