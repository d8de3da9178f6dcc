// Promise: in a storm of messages among thousands of concurrent objects, which create, name, move and end each other,
// nothing is lost, doubled or out of order, and one method of an object runs at a time. Method: generated programs, see
// tests/actors/storm.hpp; --seed N is the first, --seeds N how many, each of --messages N a PE, --objects N a PE;
// every second one in an epoch.
#include "tests/actors/storm.hpp"

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::object_storm {

task<int> program(arguments args) {
  const std::uint64_t first = option(args, "--seed", 1), seeds = option(args, "--seeds", 1);
  test::actors::settings s;
  s.messages = static_cast<long>(option(args, "--messages", 100'000));
  s.objects = static_cast<int>(option(args, "--objects", 1000));
  s.moves = option(args, "--moves", 1) != 0;
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + seeds - 1));
  long messages = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    s.seed = seed;
    s.in_epoch = seed % 2 == 0;
    messages += co_await test::actors::storm(s);
  }
  std::printf("%ld messages\n", messages);
  co_return 0;
}

const test::joined_program entry("object_storm", run, program);

}  // namespace programs::object_storm
