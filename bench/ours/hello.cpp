// The least that a PE of an SPMD program does: one barrier. For what a PE takes of a simulation's memory and time.
#include <tsubu/tsubu.hpp>

#include "bench/report.hpp"

namespace {

using namespace tsubu;

task<int> program(arguments) {
  const int counted = co_await all_reduce(1, reduce::plus);
  if (this_pe() == 0) {
    bench::result_line line("hello");
    line.add("transport", transport_name()).add("pes", pe_count()).add("verified", counted == pe_count());
    line.print();
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
