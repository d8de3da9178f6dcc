// Adds up the fares of each city in CSV files, and prints the ten largest sums: 27_fares NAME_OR_PATTERN...
//
// Each PE reads the rows that begin in its part of the files' bytes; those whose fare is no number are left out.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace tsubu;

task<int> program(arguments args) {
  auto sums = co_await create_map<std::string, double>();
  const csv_format format{.skips_bad = true};
  auto trips = co_await csv<std::string, double>(std::vector(args.begin() + 1, args.end()), "city,fare", format);
  for (const auto& [city, fare] : trips) co_await sums.past().reduce(city, fare, reduce::plus);
  co_await quiescence();

  const auto larger = [](const auto& a, const auto& b) { return a.second > b.second; };
  const auto top = co_await top_k(sums, 10, larger);
  const std::size_t bad = co_await all_reduce(trips.skipped(), reduce::plus);
  if (this_pe() == 0) {
    for (const auto& [city, sum] : top) std::printf("%12.2f %s\n", sum, city.c_str());
    std::printf("rows without a fare: %zu\n", bad);
  }
  co_return 0;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
