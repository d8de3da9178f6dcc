// Hello: a greeting from every PE of the job.
//
//   example_01_hello                   one PE for each core, on threads
//   example_01_hello --tsubu-pes=4     four PEs, on threads
//   mpirun -n 4 example_01_hello       four PEs, each a process
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <string>

using namespace tsubu;

// A plain function. It runs on the PE it is sent to, which this_pe() names.
std::string greeting(std::string whom) { return "hello, " + whom + ", from PE " + std::to_string(this_pe()); }

// run() starts this on PE 0. It is a coroutine, since it waits: every wait is a co_await.
task<int> program(arguments) {
  bool right = true;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const std::string answer = co_await at(pe).now<greeting>("world");
    std::printf("%s\n", answer.c_str());
    right = right && answer == "hello, world, from PE " + std::to_string(pe);
  }
  co_return right ? 0 : 1;  // the exit code of the job
}

int main(int argc, char** argv) { return run(argc, argv, program); }
