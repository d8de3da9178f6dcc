// Past messages to another PE that carry an int and a double: as a struct, a pair, a tuple; and vectors of a thousand
// of them. The figures are ns a message and PE, or a value of a vector, for sending and executing.
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

struct number_and_weight {
  int number;
  double weight;
};
using pair = std::pair<int, double>;
using tuple = std::tuple<int, double>;

int number_of(const number_and_weight& v) { return v.number; }
int number_of(const pair& v) { return v.first; }
int number_of(const tuple& v) { return std::get<0>(v); }

pe_local<std::int64_t> received;  // the sum of the numbers that came

template <class V>
void receive(V v) {
  *received += number_of(v);
}
template <class V>
void receive_all(std::vector<V> values) {
  for (const V& v : values) *received += number_of(v);
}

struct sizes {
  int values, repetitions;
};
constexpr int in_vector = 1000;

template <class V>
task<void> send_values(int count) {
  const pe_id next = (this_pe() + 1) % pe_count();
  for (int i = 0; i < count; ++i) {
    at(next).past<receive<V>>(V{i, 0.5});
    if (i % 1024 == 0) co_await room_everywhere();
  }
}

template <class V>
task<void> send_vectors(int count) {
  const pe_id next = (this_pe() + 1) % pe_count();
  std::vector<V> values;
  for (int i = 0; i < count; i += in_vector) {
    values.clear();
    for (int k = i; k < std::min(count, i + in_vector); ++k) values.push_back(V{k, 0.5});
    co_await at(next).past<receive_all<V>>(values);
  }
}

// Median ns a value; false in `verified` if one was lost.
task<double> measure(task<void> (*send)(int), sizes s, bool& verified) {
  std::vector<double> ns_each;
  const auto count = static_cast<std::int64_t>(s.values);
  for (int r = 0; r <= s.repetitions; ++r) {
    *received = 0;
    co_await barrier();
    const bench::stopwatch watch;
    co_await send(s.values);
    co_await quiescence();
    if (r > 0) ns_each.push_back(watch.seconds() * 1e9 / s.values);
    verified = verified && *received == count * (count - 1) / 2;
  }
  co_return bench::summarize(ns_each).median;
}

task<int> program(arguments args) {
  std::int64_t values = 4'000'000, repetitions = 5;
  if (const auto code = bench::read_options(
          args, "values of an int and a double to the next PE",
          {{"--values", &values, "of each PE"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  const sizes s{static_cast<int>(values), static_cast<int>(repetitions)};
  bool verified = true;
  const double as_struct = co_await measure(send_values<number_and_weight>, s, verified);
  const double as_pair = co_await measure(send_values<pair>, s, verified);
  const double as_tuple = co_await measure(send_values<tuple>, s, verified);
  const double structs = co_await measure(send_vectors<number_and_weight>, s, verified);
  const double pairs = co_await measure(send_vectors<pair>, s, verified);
  verified = co_await all_reduce(verified, reduce::all);
  if (this_pe() == 0) {
    bench::result_line line("values");
    line.add("transport", transport_name()).add("pes", pe_count()).add("values", values).add("verified", verified);
    if (verified) {
      line.add("struct_ns", as_struct).add("pair_ns", as_pair).add("tuple_ns", as_tuple);
      line.add("vector_of_structs_ns", structs).add("vector_of_pairs_ns", pairs);
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
