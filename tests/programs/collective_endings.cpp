// Collectives that one PE does not call: collective_endings KIND. The others wait for ever, and the report of the
// deadlock names the line of each call, also of one in a fiber, and
// the team.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

pe_local<team> kept;

void meet_in_a_fiber() { wait(barrier()); }

task<int> program(arguments args) {
  const std::string kind = args[1];
  team all;
  if (kind.starts_with("team_")) all = co_await world().split(0);
  *kept = all;
  if (this_pe() == (kind == "scan" ? 0 : pe_count() - 1)) co_return 0;
  std::vector<int> row(static_cast<std::size_t>(pe_count()), 1);
  if (kind == "barrier") co_await barrier();
  if (kind == "fiber") co_await run_fiber(meet_in_a_fiber);
  if (kind == "all_reduce") co_await all_reduce(1, reduce::plus);
  if (kind == "broadcast") co_await broadcast(1, pe_count() - 1);
  if (kind == "reduce") co_await reduce_to(0, 1, reduce::plus);
  if (kind == "scan") co_await scan(1, reduce::plus);
  if (kind == "gather") co_await gather(1, 0);
  if (kind == "all_gather") co_await all_gather(1);
  if (kind == "all_to_all") co_await all_to_all(row);
  if (kind == "split") co_await world().split(this_pe());
  if (kind == "team_barrier") co_await barrier(all);
  if (kind == "team_gather") co_await gather(all, 1);
  if (kind == "team_epoch") co_await epoch(all, [] {});
  if (kind == "shared_array") co_await create_shared_array<int>(8, by_block(), protocol::global);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
