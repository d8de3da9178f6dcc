// Promise: PEs that call different collectives at the same point, or with other types, operations or roots, are found
// out, and both lines are named; so is a PE that does not call one at all; also in a team, whose name is told, and
// which who is no member of it cannot use as one. mixed_collectives KIND.
#include <functional>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

int larger(int a, int b) { return a > b ? a : b; }
int smaller(int a, int b) { return a < b ? a : b; }

// A PE's team, if it keeps it to the job's end.
pe_local<team> kept;

task<void> call_as_told(team t) { co_await barrier(t); }  // from a message

// What PEs call in a team of all but PE 0.
task<void> of_a_team(std::string kind) {
  std::optional<int> colour;
  if (this_pe() != 0) colour = 5;
  team t = co_await world().split(colour);
  if (kind == "team_empty") co_await barrier(t);
  if (this_pe() == 0) co_return;
  if (kind == "team_alone") *kept = t;
  const std::string mine = kind + (t.rank() == 0 ? "_first" : "_others");
  if (mine == "team_collective_first") co_await barrier(t);
  if (mine == "team_collective_others") co_await all_reduce(t, 1, reduce::plus);
  if (mine == "team_type_first") co_await scan(t, 1.5, reduce::plus);
  if (mine == "team_type_others") co_await scan(t, 1, reduce::plus);
  if (mine == "team_operation_first") co_await all_reduce(t, 1, reduce::plus);
  if (mine == "team_operation_others") co_await all_reduce(t, 1, reduce::max);
  if (mine == "team_split_first") co_await t.split(1);
  if (mine == "team_split_others") co_await epoch(t, [] {});
  if (mine == "team_root_first") co_await broadcast(t, 1, 0);
  if (mine == "team_root_others") co_await broadcast(t, 1, 1);
  if (kind == "team_no_root") co_await broadcast(t, 1, t.size());
  if (mine == "team_alone_first") co_await broadcast(t, 1, 0);
  if (mine == "team_gone_first") co_await broadcast(t, 1, 0);
  if (mine == "team_outsider_first") co_await at(0).now<call_as_told>(t);
  if (mine == "team_again_first") {
    co_await barrier(t);
    co_await quiescence();  // the other one has returned, and let the team go
    co_await at(t.pe(1)).now<call_as_told>(t);
  }
  if (mine == "team_again_others") co_await barrier(t);
  if (mine == "team_same_first") co_await all_reduce(t, 1, larger);
  if (mine == "team_same_others") co_await all_reduce(t, 1, larger);
}

task<int> program(arguments args) {
  const std::string kind = args[1];
  if (kind.starts_with("team_")) co_await of_a_team(kind);
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
  if (mine == "reduce_root_first") co_await reduce_to(0, 1, reduce::plus);
  if (mine == "reduce_root_others") co_await reduce_to(1, 1, reduce::plus);
  if (kind == "no_root") co_await broadcast(1, pe_count());
  if (mine == "alone_first") co_await broadcast(1, 0);
  if (mine == "too_many_others") co_await gather(1, 0);
  if (mine == "same_first") co_await all_reduce(1, larger);
  if (mine == "same_others") co_await all_reduce(1, larger);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
