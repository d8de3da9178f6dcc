// What collections cost: for each edge where all objects live, for each object where none does, how long it holds up
// the program at a time; how fast rings of objects are made and forgotten, and what pairs of them leave in memory.
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <tsubu/collection/collect.hpp>
#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

struct node : collected_object<node> {
  strong_ref<node> before, other;

  node() = default;
  node(strong_ref<node> b, strong_ref<node> o) : before(std::move(b)), other(std::move(o)) {}
  void link(strong_ref<node> to) { before = std::move(to); }

  template <class A>
  void serialize(A& a) {
    a(before, other);
  }
};

pe_local<strong_ref<node>> kept;

// `count` objects in a chain, each of which also knows an earlier one that is up to `reach` ahead of it; two edges
// each. They are of the PE that runs it, or of one PE after the other.
task<void> make_chain(std::int64_t count, std::int64_t reach, bool over_all) {
  std::vector<strong_ref<node>> recent;
  std::mt19937_64 random(1);
  strong_ref<node> last;
  for (std::int64_t i = 0; i < count; ++i) {
    const pe_id where = over_all ? static_cast<pe_id>(i % pe_count()) : this_pe();
    const strong_ref<node> other = recent.empty() ? strong_ref<node>() : recent[random() % recent.size()];
    last = create<node>(at(where), last, other);
    if (static_cast<std::int64_t>(recent.size()) < reach) {
      recent.push_back(last);
    } else {
      recent[static_cast<std::size_t>(i % reach)] = last;
    }
    if (i % 256 == 0) co_await yield();
  }
  *kept = last;
}

void forget() { kept->reset(); }

struct chain_figures {
  std::vector<double> live_ns, garbage_ns;
  double pause_99_us = 0, longest_pause_us = 0;
};

task<void> measure_chain(chain_figures* f, std::int64_t objects, std::int64_t reach, bool over_all) {
  if (over_all) {
    co_await make_chain(objects, reach, true);
  } else {
    co_await everywhere().now<make_chain>(objects / pe_count(), reach, false);
  }
  co_await quiescence();
  const bench::stopwatch of_live;
  const collected all_live = co_await collect();
  f->live_ns.push_back(of_live.seconds() * 1e9 / static_cast<double>(2 * objects));
  f->pause_99_us = std::max(f->pause_99_us, static_cast<double>(all_live.pause_99_ns) * 1e-3);
  f->longest_pause_us = std::max(f->longest_pause_us, static_cast<double>(all_live.longest_pause_ns) * 1e-3);
  co_await everywhere().now<forget>();
  const bench::stopwatch of_garbage;
  (void)co_await collect();
  f->garbage_ns.push_back(of_garbage.seconds() * 1e9 / static_cast<double>(objects));
}

// Rings over all PEs, forgotten as soon as they are made. Objects a second, until the last has ended.
task<double> measure_rings(std::int64_t rings, std::int64_t length) {
  const bench::stopwatch of_all;
  for (std::int64_t r = 0; r < rings; ++r) {
    const strong_ref<node> first = create<node>(at(0));
    strong_ref<node> last = first;
    for (std::int64_t i = 1; i < length; ++i)
      last = create<node>(at(static_cast<pe_id>(i % pe_count())), last, strong_ref<node>());
    first->past<&node::link>(last);
    co_await yield();
  }
  co_await quiescence();
  (void)co_await collect();
  co_return static_cast<double>(rings * length) / of_all.seconds();
}

// One of two that know each other.
struct twin : collected_object<twin> {
  // On the PE, which has a thread to itself here: what lives yet at the end of the job ends when there are no PEs any
  // more.
  inline static thread_local std::int64_t living = 0;
  strong_ref<twin> other;

  twin() { ++living; }
  explicit twin(strong_ref<twin> o) : other(std::move(o)) { ++living; }
  ~twin() { --living; }
  void link(strong_ref<twin> to) { other = std::move(to); }

  template <class A>
  void serialize(A& a) {
    a(other);
  }
};

std::int64_t bytes_of_twins() { return twin::living * static_cast<std::int64_t>(sizeof(twin)); }

// Pairs over two PEs each, forgotten as soon as they are made. Bytes of those that live yet at the end.
task<std::int64_t> measure_pairs(std::int64_t pairs) {
  for (std::int64_t i = 0; i < pairs; ++i) {
    const strong_ref<twin> first = create<twin>(at(0));
    first->past<&twin::link>(create<twin>(at(1 % pe_count()), first));
    if (i % 64 == 0) co_await yield();
  }
  co_await quiescence();
  const std::vector<std::int64_t> bytes = co_await everywhere().now<bytes_of_twins>();
  co_return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

// fib with an object for each call, which nobody ends.
struct call : collected_object<call> {
  task<std::int64_t> value(int n) {
    if (n < 2) co_return n;
    const strong_ref<call> one = create<call>(at(this_pe())), two = create<call>(at(n % pe_count()));
    future<std::int64_t> a = one->future<&call::value>(n - 1);
    future<std::int64_t> b = two->future<&call::value>(n - 2);
    co_return co_await a + co_await b;
  }
  template <class A>
  void serialize(A&) {}
};

// Calls a second.
task<double> measure_fib(std::int64_t n) {
  std::int64_t calls = 1, before = 1;
  for (std::int64_t i = 1; i < n; ++i) before = std::exchange(calls, calls + before + 1);
  const bench::stopwatch of_all;
  const strong_ref<call> first = create<call>(at(this_pe()));
  const std::int64_t value = co_await first->now<&call::value>(static_cast<int>(n));
  require(2 * value <= calls + 1, "fib({}) is not {}", n, value);
  co_return static_cast<double>(calls) / of_all.seconds();
}

task<int> program(arguments args) {
  std::int64_t fib = 0;
  std::int64_t objects = 100'000, reach = 1'000, rings = 0, pairs = 0, length = 1'000, repetitions = 3;
  std::string edges = "here";
  if (const auto code = bench::read_options(
          args, "collections",
          {{"--objects", &objects, "in a chain, with two edges each"},
           {"--edges", &edges, "of it: here, to objects of the same PE, or across, to those of the next and the same"},
           {"--reach", &reach, "how far ahead the second edge may go"},
           {"--rings", &rings, "of --length objects that are made and forgotten, instead of the chain"},
           {"--length", &length, "of a ring"},
           {"--pairs", &pairs, "of objects over two PEs that are made and forgotten once, instead of the chain"},
           {"--fib", &fib, "of that number, with an object for each call, instead of the chain"},
           {"--repetitions", &repetitions, "of which the median counts"}}))
    co_return *code;
  bench::result_line line("collection");
  line.add("transport", transport_name()).add("pes", pe_count());
  if (fib > 0) {
    std::vector<double> rates;
    for (std::int64_t r = 0; r < repetitions; ++r) rates.push_back(co_await measure_fib(fib));
    line.add("fib_calls_per_second", bench::summarize(rates).median);
  } else if (pairs > 0) {
    line.add("bytes_left", co_await measure_pairs(pairs));
  } else if (rings > 0) {
    std::vector<double> rates;
    for (std::int64_t r = 0; r < repetitions; ++r) rates.push_back(co_await measure_rings(rings, length));
    line.add("rings_objects_per_second", bench::summarize(rates).median);
  } else {
    chain_figures f;
    for (std::int64_t r = 0; r < repetitions; ++r) co_await measure_chain(&f, objects, reach, edges == "across");
    const double edge_ns = bench::summarize(f.live_ns).median;
    line.add("objects", objects).add("edges", edges).add("edge_ns", edge_ns);
    line.add("collection_seconds", edge_ns * 2e-9 * static_cast<double>(objects));
    line.add("garbage_ns", bench::summarize(f.garbage_ns).median);
    line.add("pause_99_us", f.pause_99_us).add("longest_pause_us", f.longest_pause_us);
  }
  line.add("repetitions", repetitions);
  line.print();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
