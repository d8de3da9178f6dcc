// What the tests of the package build: each PE asks each PE; the job says how many PEs it has if all answers are right.
#include <cstdio>
#include <tsubu/tsubu.hpp>

using namespace tsubu;

long answer(pe_id asked_by) { return 100L * this_pe() + asked_by; }

task<long> ask_all() {
  long right = 0;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const long got = co_await at(pe).now<answer>(this_pe());
    right += got == 100L * pe + this_pe();
  }
  co_return right;
}

task<int> program(arguments) {
  long right = 0;
  for (pe_id pe = 0; pe < pe_count(); ++pe) right += co_await at(pe).now<ask_all>();
  const long pes = pe_count();
  if (right == pes * pes) std::printf("all answers are right on %d PEs\n", pe_count());
  co_return right == pes* pes ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
