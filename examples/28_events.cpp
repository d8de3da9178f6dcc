// Counts the events of each user in logs with an object of JSON on each line, and prints the ten most frequent users:
// 28_events NAME_OR_PATTERN...
//
// Each PE reads the lines that begin in its part of the files' bytes; those without a user, or that are no JSON, are
// left out.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace tsubu;

task<int> program(arguments args) {
  auto users = co_await create_counting_set<std::string>();
  const ndjson_format format{.skips_bad = true};
  auto events = co_await ndjson<std::string>(std::vector(args.begin() + 1, args.end()), "/session/user", format);
  for (const auto& [user] : events) co_await users.insert(user);
  co_await quiescence();

  const auto top = co_await users.top_k(10);
  const std::size_t bad = co_await all_reduce(events.skipped(), reduce::plus);
  if (this_pe() == 0) {
    for (const auto& [user, count] : top) std::printf("%8ld %s\n", count, user.c_str());
    std::printf("lines without a user: %zu\n", bad);
  }
  co_return 0;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
