#include "tsubu/command/hello.hpp"

#include <cstdio>
#include <string>

#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/run/run.hpp"

namespace tsubu::command {
namespace {

// Each PE asks the next for its number.
task<int> say_hello(arguments) {
  const pe_id next = (this_pe() + 1) % pe_count();
  const pe_id answer = co_await at(next).now<this_pe>();
  const bool right = co_await all_reduce(answer == next, reduce::all);
  if (this_pe() == 0) {
    const pe_id of_rank = remote::current_pe->transport().pes_per_process();
    std::string ranks;
    if (of_rank > 1 && of_rank < pe_count()) ranks = ", " + std::to_string(of_rank) + " a rank";
    std::printf("hello from %d PEs on %s%s\n", pe_count(), std::string(transport_name()).c_str(), ranks.c_str());
  }
  co_return right ? 0 : 1;
}

}  // namespace

int hello(int argc, char** argv) { return run_spmd(argc, argv, say_hello); }

}  // namespace tsubu::command
