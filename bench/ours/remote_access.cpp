// What depends on another PE's memory, one access at a time: a chain of pointers that goes back and forth between two
// PEs, read from its first to its last; and 1, 10 or 100 puts of 8 bytes, until they are there.
//
// Puts to a PE are executed in order with what is asked of it later, so the read behind them is their fence.
#include <numeric>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/workload.hpp"

namespace {

using namespace tsubu;

// The elements of a chain: the even ones lie on PE 0, the odd ones on PE 1, each PE's in random order.
struct element {
  global_ptr<element> next;
};

task<global_ptr<element>> make_chain(std::int64_t elements) {
  const auto half = static_cast<std::size_t>(elements / 2);
  std::vector<std::size_t> order(half);
  std::iota(order.begin(), order.end(), 0);
  bench::random_source random(7);
  for (std::size_t i = half; i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
  const global_ptr<element> there = co_await allocate<element>(1, half);
  const global_ptr<element> here = co_await allocate<element>(0, half);
  const auto at_step = [&](std::size_t i) {
    return (i % 2 == 0 ? there : here)[static_cast<std::ptrdiff_t>(order[i / 2 % half])];
  };
  for (std::size_t i = 0; i < 2 * half; ++i) co_await at_step(i).write(element{at_step(i + 1)});
  co_return at_step(0);
}

// Nanoseconds a read of the other PE's memory: every other one; those at home are read in the same way.
task<double> follow(global_ptr<element> first, std::int64_t elements, bool& verified) {
  const bench::stopwatch watch;
  global_ptr<element> at = first;
  for (std::int64_t i = 0; i < elements; ++i) at = (co_await at.read()).next;
  const double seconds = watch.seconds();
  verified = verified && at == first;
  co_return seconds * 1e9 / static_cast<double>(elements / 2);
}

task<double> put_and_wait(global_ptr<std::int64_t> to, std::int64_t puts, std::int64_t rounds, bool& verified) {
  const bench::stopwatch watch;
  for (std::int64_t r = 0; r < rounds; ++r) {
    for (std::int64_t i = 0; i < puts; ++i) to[i].put(r + i);
    verified = co_await to[puts - 1].read() == r + puts - 1 && verified;
  }
  co_return watch.seconds() * 1e9 / static_cast<double>(rounds);
}

task<int> program(arguments args) {
  std::int64_t elements = 20'000, rounds = 5'000, repetitions = 21;
  if (const auto code = bench::read_options(
          args, "a chain of reads between two PEs, and puts with a fence",
          {{"--elements", &elements, "of the chain, an even number"},
           {"--rounds", &rounds, "of puts, each with its fence"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() == 2, "a chain between two PEs needs 2, not {}", pe_count());
  const global_ptr<element> first = co_await make_chain(elements);
  const global_ptr<std::int64_t> memory = co_await allocate<std::int64_t>(1, 100);
  std::vector<double> chain, one, ten, hundred;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const double of_chain = co_await follow(first, elements, verified);
    const double of_one = co_await put_and_wait(memory, 1, rounds, verified);
    const double of_ten = co_await put_and_wait(memory, 10, rounds, verified);
    const double of_hundred = co_await put_and_wait(memory, 100, rounds, verified);
    if (r == 0) continue;
    chain.push_back(of_chain);
    one.push_back(of_one);
    ten.push_back(of_ten);
    hundred.push_back(of_hundred);
  }
  bench::result_line line("remote_access");
  line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
  if (verified) {
    line.add("chain_read_ns", bench::summarize(chain).median);
    line.add("put_1_ns", bench::summarize(one).median).add("put_10_ns", bench::summarize(ten).median);
    line.add("put_100_ns", bench::summarize(hundred).median);
  }
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
