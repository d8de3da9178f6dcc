// A program outside the tree that includes shared.hpp only.
#include <tsubu/shared.hpp>

using namespace tsubu;

task<int> program(arguments) {
  const auto steps = create_shared(protocol::global, 4);
  const int n = co_await steps.read();
  say("shared: {}", n);
  co_return n == 4 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
