// A program outside the tree: greets from every PE, through the installed package only.
#include <cstdio>
#include <tsubu/tsubu.hpp>

using namespace tsubu;

long greet(pe_id asked_by) {
  std::printf("hello from PE %d of %d, asked by PE %d\n", this_pe(), pe_count(), asked_by);
  return this_pe();
}

task<int> program(arguments) {
  long sum = 0;
  for (pe_id pe = 0; pe < pe_count(); ++pe) sum += co_await at(pe).now<greet>(this_pe());
  const long count = pe_count();
  co_return sum == count*(count - 1) / 2 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
