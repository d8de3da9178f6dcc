// A program to be started wrongly. With -DOTHER_PROGRAM it has another handler.
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

int one() { return 1; }
#ifdef OTHER_PROGRAM
double another_function(double x) { return x; }
#endif

task<int> program(arguments) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    co_await at(pe).now<one>();
#ifdef OTHER_PROGRAM
    co_await at(pe).now<another_function>(0.5);
#endif
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
