// What reading a shared variable costs, in ticks: of copies of 1,000 variables whose home is another PE, in random
// order; of the variables at home, the same way.
//
// A fresh order for each round, so that the processor cannot learn it. `read` awaits in a coroutine, `copy` asks for
// the value's place in a plain function. What is added up is used, so no read can be left out.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/workload.hpp"

namespace {

using namespace tsubu;

using names = std::vector<shared<long>>;
using order = std::vector<std::uint16_t>;

names make_variables(std::int64_t count) {
  names made(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = create_shared(protocol::update, static_cast<long>(3 * i + 1));
  return made;
}

// So many random orders of all, one behind the other.
order make_orders(std::size_t variables, std::int64_t rounds) {
  bench::random_source random(7);
  order all, one(variables);
  std::iota(one.begin(), one.end(), std::uint16_t{0});
  for (std::int64_t r = 0; r < rounds; ++r) {
    for (std::size_t i = variables; i > 1; --i) std::swap(one[i - 1], one[random.next() % i]);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

task<long> sum_of_reads(const shared<long>* x, const std::uint16_t* which, std::size_t count) {
  long sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += co_await x[which[i]].read();
  co_return sum;
}

long sum_of_copies(const shared<long>* x, const std::uint16_t* which, std::size_t count) {
  long sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const long* value = x[which[i]].copy();
    if (value != nullptr) sum += *value;
  }
  return sum;
}

struct report {
  bench::result_line line{"shared_read"};
  bool verified = true;

  void add(const char* name, const std::vector<double>& ticks, bool right) {
    verified = verified && right;
    const bench::summary times = bench::summarize(ticks);
    line.add(name, times.median).add(std::string(name) + "_spread", times.spread());
  }
};

task<int> program(arguments args) {
  std::int64_t variables = 1000, rounds = 50, orders = 50, repetitions = 101;
  if (const auto code = bench::read_options(
          args, "reads of valid copies",
          {{"--variables", &variables, "at most 65,536"},
           {"--rounds", &rounds, "each reads all of them"},
           {"--orders", &orders, "random orders, which the rounds take one after the other"},
           {"--repetitions", &repetitions, "measurements, after one untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() >= 2, "copies of another PE's variables need two PEs");
  require(variables > 0 && variables <= 65536 && orders > 0 && rounds % orders == 0 && repetitions > 0,
          "--variables is 1 to 65,536, and --rounds is a multiple of --orders");
  const names there = co_await at(1).now<make_variables>(variables);
  const names here_made = make_variables(variables);
  const order which = make_orders(there.size(), orders);
  const long expected = std::accumulate(which.begin(), which.end(), 0L, [](long s, long i) { return s + 3 * i + 1; });

  report r;
  r.line.add("transport", transport_name()).add("pes", pe_count()).add("variables", variables);
  const double reads = static_cast<double>(rounds * variables);
  const std::pair<const char*, const names*> of_names[] = {{"read", &there}, {"read_at_home", &here_made}};
  for (const auto& [name, x] : of_names) {
    std::vector<double> ticks;
    bool right = true;
    for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
      const bench::stopwatch watch;
      for (std::int64_t done = 0; done < rounds; done += orders)
        right = co_await sum_of_reads(x->data(), which.data(), which.size()) == expected && right;
      if (repetition > 0) ticks.push_back(watch.ticks_taken() / reads);
    }
    r.add(name, ticks, right);
  }
  std::vector<double> ticks;
  bool right = true;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    const bench::stopwatch watch;
    for (std::int64_t done = 0; done < rounds; done += orders)
      right = sum_of_copies(there.data(), which.data(), which.size()) == expected && right;
    if (repetition > 0) ticks.push_back(watch.ticks_taken() / reads);
  }
  r.add("copy", ticks, right);
  r.line.add("verified", r.verified).add("repetitions", repetitions);
  r.line.print();
  co_return r.verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
