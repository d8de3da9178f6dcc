// Messages whose handlers miss the cache: with and without a look ahead, and as coroutines that take turns.
//
// chase: each message follows three pointers through 256 MiB of objects. plain: one handler after the
// other. hook: tsubu::touches tells the runtime where the next handlers will look. coroutines: each
// message is a task that fetches a line and lets the others go on. update: bale's histogram in a table of
// --table bytes, with and without the hook. tiny: the hook where everything is in the cache.
#include <memory>
#include <numeric>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/report.hpp"
#include "tsubu/base/random.hpp"

namespace {

using namespace tsubu;

struct alignas(64) element {
  element* next;
  std::uint64_t value;
};

struct heap {
  std::vector<element> objects;
  std::uint64_t sum = 0;
};
pe_local<heap> mine;
pe_local<std::vector<std::uint64_t>> table;

void chase(std::uint32_t first) {
  element* at = &mine->objects[first];
  at = at->next;
  at = at->next;
  mine->sum += at->value;
}
void chase_hooked(std::uint32_t first) { chase(first); }

task<void> chase_in_turns(std::uint32_t first) {
  element* at = &mine->objects[first];
  co_await fetch(at);
  at = at->next;
  co_await fetch(at);
  at = at->next;
  co_await fetch(at);
  mine->sum += at->value;
}

void update(std::uint64_t at) { ++(*table)[at]; }
void update_hooked(std::uint64_t at) { ++(*table)[at]; }

}  // namespace

template <>
struct tsubu::touches<chase_hooked> {
  static constexpr int stages = 3;
  static const void* address(int stage, std::uint32_t first) {
    const element* at = &mine->objects[first];
    for (; stage > 0; --stage) at = at->next;
    return at;
  }
};

template <>
struct tsubu::touches<update_hooked> {
  static constexpr int stages = 1;
  static const void* address(int, std::uint64_t at) { return &(*table)[at]; }
};

namespace {

// Sends `n` messages to the other PE, and nanoseconds of each from the first to quiescence.
template <auto F>
task<double> time_of(std::vector<std::uint32_t> places) {
  co_await barrier();
  const bench::stopwatch watch;
  const pe_id to = (this_pe() + 1) % pe_count();
  for (std::size_t i = 0; i < places.size(); ++i) {
    at(to).past<F>(places[i]);
    if (i % 1024 == 1023) co_await room_everywhere();
  }
  co_await quiescence();
  co_return co_await all_reduce(watch.seconds(), reduce::max) * 1e9 / static_cast<double>(places.size());
}

task<int> program(arguments args) {
  std::int64_t messages = 1'000'000, megabytes = 256, repetitions = 7, table_megabytes = 1024;
  if (const auto code =
          bench::read_options(args, "handlers that miss the cache",
                              {{"--messages", &messages, "of each PE"},
                               {"--megabytes", &megabytes, "of objects that are chased through, all PEs together"},
                               {"--table", &table_megabytes, "MiB of the table that is updated, all PEs together"},
                               {"--repetitions", &repetitions, "after one untimed; their median is reported"}}))
    co_return *code;
  const auto pes = static_cast<std::size_t>(pe_count());
  const auto count = static_cast<std::size_t>(megabytes) * (1 << 20) / sizeof(element) / pes;
  random_source random(static_cast<std::uint64_t>(this_pe()) + 1);
  mine->objects.resize(count);
  for (element& o : mine->objects) o = {&mine->objects[random.below(count)], random()};
  table->resize(static_cast<std::size_t>(table_megabytes) * (1 << 20) / sizeof(std::uint64_t) / pes);
  const auto draw = [&](std::uint64_t below) {
    std::vector<std::uint32_t> places(static_cast<std::size_t>(messages));
    for (std::uint32_t& p : places) p = static_cast<std::uint32_t>(random.below(below));
    return places;
  };
  const std::vector<std::uint32_t> objects = draw(count), words = draw(table->size()), few = draw(1000);

  std::vector<double> plain, hooked, in_turns, updates, updates_hooked, tiny, tiny_hooked;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    mine->sum = 0;
    const double a = co_await time_of<chase>(objects);
    const std::uint64_t wanted = mine->sum;
    const double b = co_await time_of<chase_hooked>(objects);
    const double c = co_await time_of<chase_in_turns>(objects);
    verified = verified && mine->sum == 3 * wanted;
    const double d = co_await time_of<update>(words);
    const double e = co_await time_of<update_hooked>(words);
    const double f = co_await time_of<update>(few);
    const double g = co_await time_of<update_hooked>(few);
    if (r == 0) continue;
    plain.push_back(a);
    hooked.push_back(b);
    in_turns.push_back(c);
    updates.push_back(d);
    updates_hooked.push_back(e);
    tiny.push_back(f);
    tiny_hooked.push_back(g);
  }
  const std::uint64_t sum = std::accumulate(table->begin(), table->end(), std::uint64_t{0});
  const std::uint64_t sent = static_cast<std::uint64_t>(4 * (repetitions + 1) * messages);
  verified = verified && sum == sent;
  verified = co_await all_reduce(verified ? 1 : 0, reduce::min) == 1;
  if (this_pe() == 0) {
    bench::result_line line("chase");
    line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
    const auto add = [&line](const char* name, const std::vector<double>& ns) {
      line.add(name, bench::summarize(ns).median);
    };
    add("chase_ns", plain);
    add("chase_hook_ns", hooked);
    add("chase_turns_ns", in_turns);
    add("update_ns", updates);
    add("update_hook_ns", updates_hooked);
    add("tiny_ns", tiny);
    add("tiny_hook_ns", tiny_hooked);
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
