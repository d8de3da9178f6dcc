// A program outside the tree that includes core.hpp only: messages, tasks and printing.
#include <tsubu/core.hpp>

using namespace tsubu;

pe_local<long> sum;
void add(long n) { *sum += n; }
long get() { return *sum; }

task<int> program(arguments) {
  at(pe_count() - 1).past<add>(2);
  co_await quiescence();
  const long n = co_await at(pe_count() - 1).now<get>();
  say("core: {}", n);
  co_return n == 2 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
