// What receive prediction gains, and where it gains nothing: a PE asks objects of the next one, one at a time, in an
// order that comes again and again. The objects together are larger than the caches.
//
//   tour    each object is asked for its sum, in a fixed random order, round after round
//   one     the same object each time
//   chance  objects drawn at random: there is nothing to foresee
//   pure    the one question of tour that takes long, of a pure method
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <numeric>
#include <string>

#include "bench/ours/job.hpp"
#include "tsubu/base/random.hpp"

namespace {

using namespace tsubu;

// As large as `lines` cache lines; a question touches all of them.
struct node : object<node> {
  static constexpr std::size_t words = 32;
  std::uint64_t numbers[words];
  node() : node(1) {}
  explicit node(std::uint64_t n) { std::iota(std::begin(numbers), std::end(numbers), n); }
  std::uint64_t sum(std::uint64_t more) { return numbers[0] += more, std::accumulate(numbers, numbers + words, more); }
  // Long: some microseconds.
  std::uint64_t digest(std::uint64_t rounds) const {
    std::uint64_t x = numbers[0];
    for (std::uint64_t i = 0; i < rounds; ++i) x = (x ^ numbers[i % words]) * 0x100000001b3U;
    return x;
  }
};

}  // namespace

template <>
inline constexpr bool tsubu::pure<&node::digest> = true;

namespace {

// One question of each in that order, one at a time; the sum of the answers.
task<std::uint64_t> ask_all(const std::vector<ref<node>>& objects, const std::vector<std::uint32_t>& order,
                            std::uint64_t rounds) {
  std::uint64_t sum = 0;
  for (const std::uint32_t i : order) {
    if (rounds == 0) {
      sum += co_await objects[i].now<&node::sum>(1);
    } else {
      sum += co_await objects[i].now<&node::digest>(rounds);
    }
  }
  co_return sum;
}

task<int> program(arguments args) {
  std::int64_t count = 60'000, repetitions = 11, rounds = 2000, seed = 1;
  std::string mode = "tour";
  if (const auto code = bench::read_options(
          args, "questions to objects out of the cache, one at a time",
          {{"--mode", &mode, "tour, one, chance or pure"},
           {"--objects", &count, "of 256 bytes"},
           {"--rounds", &rounds, "of pure: steps of a question"},
           {"--seed", &seed, "of the order"},
           {"--repetitions", &repetitions, "measurements, after two untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() >= 2, "questions to another PE need two PEs");
  std::vector<ref<node>> objects;
  for (std::int64_t i = 0; i < count; ++i) objects.push_back(create<node>(at(1), static_cast<std::uint64_t>(i)));
  co_await quiescence();
  random_source random(static_cast<std::uint64_t>(seed));
  std::vector<std::uint32_t> order(objects.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  if (mode == "one") std::fill(order.begin(), order.end(), 0U);
  std::vector<double> ns;
  std::uint64_t all = 0;
  for (std::int64_t r = 0; r < repetitions + 2; ++r) {
    if (mode == "chance") std::shuffle(order.begin(), order.end(), random);
    const bench::stopwatch watch;
    all += co_await ask_all(objects, order, mode == "pure" ? static_cast<std::uint64_t>(rounds) : 0);
    if (r >= 2) ns.push_back(watch.seconds() * 1e9 / static_cast<double>(order.size()));
  }
  bench::result_line line("prediction");
  const bench::summary times = bench::summarize(ns);
  line.add("transport", transport_name()).add("pes", pe_count()).add("mode", mode).add("objects", count);
  line.add("sum", static_cast<double>(all)).add("round_trip_ns", times.median).add(times);
  line.print();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
