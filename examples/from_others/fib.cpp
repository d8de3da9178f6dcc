// Fibonacci numbers by calls on other PEs, for docs/from_others.md.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <utility>

using namespace tsubu;

task<long> fib(long n) {
  if (n < 2) co_return n;
  const pe_id next = (this_pe() + 1) % pe_count();
  future<long> one = at(next).future<fib>(n - 1);
  const long two = co_await fib(n - 2);
  co_return co_await std::move(one) + two;
}

task<int> program(arguments) {
  const long value = co_await fib(20);
  std::printf("fib(20) is %ld\n", value);
  co_return value == 6765 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
