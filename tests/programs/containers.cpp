// Promise: maps, multimaps, sets, counting sets and bags hold what was put into them, on any number of PEs and every
// transport; visitors may visit on; what quiescence and epochs wait for is there. Method: every PE inserts, visits and
// counts random keys, and the owners compare with sums taken aside. --seed N.
#include <tsubu/containers.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::spread_containers {

constexpr std::size_t keys = 3'000;

std::string spell(std::size_t key) { return "key " + std::to_string(key * key); }

void add(const std::string&, long& value, long n) { value += n; }
void add_and_pass_on(const std::uint64_t& key, long& value, map<std::uint64_t, long> m, int more) {
  ++value;
  if (more > 0) m.past().visit<add_and_pass_on>((key * 7 + 1) % keys, m, more - 1);
}

task<void> check_map(std::mt19937_64& random) {
  auto sums = co_await create_map<std::string, long>();
  std::vector<long> mine(keys);
  for (int i = 0; i < 20'000; ++i) {
    const auto key = static_cast<std::size_t>(below(random, keys));
    ++mine[key];
    co_await sums.past().visit<add>(spell(key), 1);
  }
  co_await quiescence();
  const std::vector<long> all = co_await all_reduce(mine, reduce::plus);
  for (std::size_t key = pe_index(); key < keys; key += all_pes().size()) {
    const std::optional<long> found = co_await sums.now().find(spell(key));
    expect_equal(found.value_or(0), all[key], "a sum in a map");
  }
  expect_equal(co_await sums.size(), static_cast<std::size_t>(std::ranges::count_if(all, [](long n) { return n > 0; })),
               "the size of a map");
  co_await sums.end();
}

task<void> check_chains() {
  auto visits = co_await create_map<std::uint64_t, long>();
  auto chains = [visits]() -> task<void> {
    for (std::uint64_t i = 0; i < 100; ++i) co_await visits.past().visit<add_and_pass_on>(i, visits, 99);
  };
  co_await epoch(chains);
  co_await barrier();
  long here = 0;
  visits.for_each_here([&here](std::uint64_t, long& n) { here += n; });
  expect_equal(co_await all_reduce(here, reduce::plus), 10'000L * pe_count(), "visits that visit on");
  co_await visits.end();
}

void add_to_each(const std::string&, long& value, long n) { value += n; }

task<void> check_multimap(std::mt19937_64& random) {
  auto lists = co_await create_multimap<std::string, long>();
  std::vector<long> mine(keys);
  for (int i = 0; i < 10'000; ++i) {
    const auto key = static_cast<std::size_t>(below(random, keys));
    ++mine[key];
    co_await lists.past().insert(spell(key), i);
  }
  co_await quiescence();
  const std::vector<long> all = co_await all_reduce(mine, reduce::plus);
  const std::size_t pes = all_pes().size();
  expect_equal(co_await lists.size(), 10'000 * pes, "the size of a multimap");
  for (std::size_t key = pe_index(); key < keys; key += pes) {
    co_await lists.past().visit<add_to_each>(spell(key), 1'000'000);
    if (key % 3 == 0) co_await lists.past().erase(spell(key));
    const std::vector<long> found = co_await lists.now().find(spell(key));
    expect_equal(static_cast<long>(found.size()), key % 3 == 0 ? 0 : all[key], "the values of a key");
    expect_equal(std::ranges::all_of(found, [](long value) { return value >= 1'000'000; }), true, "visited values");
  }
  co_await lists.end();
}

task<void> check_counting(std::mt19937_64& random) {
  auto words = co_await create_counting_set<std::string>();
  auto seen = co_await create_set<std::uint64_t>();
  std::vector<long> mine(keys);
  for (int i = 0; i < 50'000; ++i) {
    const auto key = static_cast<std::size_t>(below(random, 1 + below(random, keys)));
    ++mine[key];
    co_await words.insert(spell(key));
    co_await seen.past().insert(key);
  }
  co_await quiescence();
  const std::vector<long> all = co_await all_reduce(mine, reduce::plus);
  std::vector<std::pair<std::string, std::int64_t>> expected;
  for (std::size_t key = 0; key < keys; ++key) {
    if (all[key] > 0) expected.emplace_back(spell(key), all[key]);
  }
  expect_equal(co_await seen.size(), expected.size(), "the size of a set");
  expect_equal(co_await words.size(), expected.size(), "the size of a counting set");
  std::ranges::sort(expected, [](const auto& a, const auto& b) {
    return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
  });
  expected.resize(20);
  expect_equal((co_await words.top_k(20)) == expected, true, "the most frequent words");
  co_await words.end();
  co_await seen.end();
}

task<void> check_bag() {
  auto b = co_await create_bag<std::vector<int>>();
  for (int i = 0; i < 10 * this_pe(); ++i) b.insert(std::vector<int>(3, i));
  const std::size_t all = co_await b.size();
  co_await b.balance();
  expect_equal(b.size_here(), part_of(all).size(), "a balanced part");
  co_await barrier();
  co_await b.now().insert(0, std::vector<int>());
  co_await barrier();
  const std::vector<std::vector<int>> gathered = co_await b.gather();
  expect_equal(gathered.size(), this_pe() == 0 ? all + all_pes().size() : 0, "what is gathered");
  co_await b.end();
}

// Line i, of a length that makes some longer than what a PE has to read.
std::string line_at(std::size_t i) { return std::to_string(i) + std::string(i % 97 == 0 ? 2'000 : i % 7, 'x'); }

task<void> check_lines() {
  constexpr std::size_t count = 500;
  std::string name;
  if (this_pe() == 0) {
    std::filesystem::path made = std::filesystem::temp_directory_path();
    made /= "tsubu_lines_of_program_" + std::to_string(::getpid());
    name = made;
    std::ofstream out(made, std::ios::binary);
    for (std::size_t i = 0; i < count; ++i) out << line_at(i) << (i % 2 == 0 ? "\n" : "\r\n");
  }
  name = co_await broadcast(std::move(name));
  auto text = co_await lines(name);
  std::vector<std::string> mine;
  for (const std::string_view line : text) mine.emplace_back(line);
  const std::vector<std::string> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    std::filesystem::remove(name);
    expect_equal(all.size(), count, "the number of lines");
    for (std::size_t i = 0; i < count; ++i) expect_equal(all[i], line_at(i), "a line");
  }
}

// Objects on lines, of which every other one has a number.
task<void> check_ndjson() {
  constexpr std::size_t count = 500;
  std::string name;
  if (this_pe() == 0) {
    std::filesystem::path made = std::filesystem::temp_directory_path();
    made /= "tsubu_objects_of_program_" + std::to_string(::getpid());
    name = made;
    std::ofstream out(made, std::ios::binary);
    for (std::size_t i = 0; i < count; ++i) {
      out << R"({"in": {"text": ")" << line_at(i) << "\\n\"}";
      if (i % 2 == 0) out << ", \"number\": " << i;
      out << "}\n";
    }
  }
  name = co_await broadcast(std::move(name));
  auto rows = co_await ndjson<std::optional<std::size_t>, std::string>(name, "number,/in/text");
  std::vector<std::pair<std::size_t, std::string>> mine;
  for (const auto& [number, text] : rows) mine.emplace_back(number.value_or(count), text);
  const std::vector<std::pair<std::size_t, std::string>> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    std::filesystem::remove(name);
    expect_equal(all.size(), count, "the number of objects");
    for (std::size_t i = 0; i < count; ++i) {
      expect_equal(all[i].first, i % 2 == 0 ? i : count, "a number that may be missing");
      expect_equal(all[i].second, line_at(i) + "\n", "a text of an object");
    }
  }
}

// Numbers 0 .. n - 1 as one vector of all PEs, in their order.
task<void> check_algorithms() {
  constexpr std::size_t n = 1'000;
  std::vector<std::size_t> mine;
  for (const std::size_t i : part_of(n)) mine.push_back(i / 4);
  const std::vector<std::size_t> different = co_await unique(mine);
  expect_equal(co_await all_reduce(different.size(), reduce::plus), n / 4, "different ones");
  auto [share, odd] = co_await partition(mine, [](std::size_t x) { return x % 2 == 1; });
  expect_equal(std::ranges::count_if(share, [](std::size_t x) { return x % 2 == 1; }), static_cast<std::ptrdiff_t>(odd),
               "those before the border");
  expect_equal(co_await all_reduce(odd, reduce::plus), n / 2, "odd ones");
  const std::vector<std::size_t> bounds{50, 200};
  expect_equal((co_await histogram(mine, bounds))[1], 600U, "those between two bounds");
  const auto groups = co_await group_by(mine, [](std::size_t x) { return spell(x % 10); });
  const std::vector<std::size_t> threes = co_await groups.now().find(spell(3));
  expect_equal(threes.size(), n / 10, "a group");
  const auto uneven = co_await group_by(mine, [](std::size_t x) { return x < 240 ? 0 : x; });  // --tsubu-stats says so
  expect_equal(co_await uneven.size(), n, "elements of uneven groups");
  const auto sizes = co_await transform(groups, [](const std::string& key, std::size_t x) { return key.size() + x; });
  expect_equal(co_await sizes.size(), n, "the size of what is transformed");
  std::vector<std::pair<std::string, std::size_t>> pairs;
  for (const std::size_t x : mine) pairs.emplace_back(spell(x % 7), x);
  const auto sums = co_await reduce_by_key(pairs, reduce::plus);
  std::size_t here = 0;
  for (const auto& [key, sum] : sums.here()) here += sum;
  expect_equal(co_await all_reduce(here, reduce::plus), n / 4 * (n / 4 - 1) * 2, "a sum of all keys");
  const std::vector<std::size_t> some = co_await sample(mine, 3, 1);
  const std::vector<std::size_t> wanted{0, 4, 215};
  expect_equal(some == wanted, true, "a sample, the same on any number of PEs");
  const std::size_t gone = sums.erase_if_here([](const std::string& key, std::size_t) { return key == spell(0); });
  expect_equal(co_await all_reduce(gone, reduce::plus), 1U, "what is erased");
  expect_equal(co_await sums.size(), 6U, "the size of what is left");
  co_await groups.end();
  co_await sizes.end();
  co_await uneven.end();
  co_await sums.end();
}

std::string text_at(std::size_t i) { return "the \"" + std::to_string(i) + "\",\n"; }

// What all PEs have written, they read: a map, whose messages may still be on their way.
task<void> check_written() {
  constexpr std::size_t count = 500;
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  folder /= "tsubu_rows_of_program_" + std::to_string(::getpid());
  std::string name = folder;
  name = co_await broadcast(std::move(name));
  auto squares = co_await create_map<std::string, double>();
  for (const std::size_t i : part_of(count)) {
    const auto x = static_cast<double>(i);
    co_await squares.past().insert(text_at(i), x * x / 7);
  }
  co_await write_csv(name, "text,square", squares);
  auto rows = co_await csv<double, std::string>(name, "square,text");
  std::vector<std::pair<double, std::string>> mine;
  for (const auto& [square, text] : rows) mine.emplace_back(square, text);
  std::vector<std::pair<double, std::string>> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    std::filesystem::remove_all(name);
    std::ranges::sort(all);
    expect_equal(all.size(), count, "the number of rows");
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<double>(i);
      expect_equal(all[i].first, x * x / 7, "a number");
      expect_equal(all[i].second, text_at(i), "a text");
    }
  }
  co_await squares.end();
}

struct numbered {
  std::size_t i;
  double root;
};

// One file that all PEs write, each its own part, and read in shares of another length.
task<void> check_records() {
  constexpr std::size_t count = 20'000;
  std::filesystem::path made = std::filesystem::temp_directory_path();
  made /= "tsubu_records_of_program_" + std::to_string(::getpid());
  std::string name = made;
  name = co_await broadcast(std::move(name));
  std::vector<numbered> mine;
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<int>(i % 10) * pe_count() / 10 == this_pe()) mine.push_back({i, std::sqrt(i)});
  }
  co_await write_record_file(name, mine);
  mine.clear();
  auto all = co_await records<numbered>(name);
  std::size_t sum = 0, read = 0;
  for (const numbered& one : all) {
    expect_equal(one.root, std::sqrt(one.i), "what stands beside a number");
    sum += one.i;
    ++read;
  }
  expect_equal(read, part_of(count).size(), "this PE's share");
  expect_equal(co_await all_reduce(sum, reduce::plus), count * (count - 1) / 2, "the sum of all records");
  if (this_pe() == 0) std::filesystem::remove(name);
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  co_await check_map(random);
  co_await check_chains();
  co_await check_multimap(random);
  co_await check_counting(random);
  co_await check_bag();
  co_await check_algorithms();
  co_await check_lines();
  co_await check_ndjson();
  co_await check_records();
  co_await check_written();
  co_return 0;
}

const test::joined_program entry("containers", run_spmd, program);

}  // namespace programs::spread_containers
