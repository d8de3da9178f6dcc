// Barrier and Reduction, built on messages between nodes as MTTL's are.
//
//   Barrier barrier;        barrier.exec();
//   Reduction<double> sum;  double rho = sum.exec(local, tsubu::reduce::plus);
//                           sum.exec(counts, n, tsubu::reduce::plus);       // element by element
//
// Every node calls them, one thread of it at a time, in the same order; the objects have no state, and
// all of them are one series. Each takes log2 numNode messages per node (two more on some nodes, if
// numNode is not a power of two), and blocks the calling thread only.
#pragma once

#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include "tsubu/mpc/node.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/collectives/round_members.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu::mpc {

namespace collective {

// One collective of this node, from begin to end: its number, and its messages.
class round_trip {
 public:
  round_trip();
  ~round_trip();
  round_trip(const round_trip&) = delete;
  round_trip& operator=(const round_trip&) = delete;

  void send(int node, std::uint32_t step, std::span<const std::byte> data);
  // Blocks. Ends the job if what comes from there is not of this collective and step, or not of this size.
  std::vector<std::byte> receive(int node, std::uint32_t step, std::size_t bytes, std::source_location where);

 private:
  std::uint32_t call_;
};

// Steps: rounds count from 0, and these.
inline constexpr std::uint32_t fold_in = 100;
inline constexpr std::uint32_t fold_out = 101;

using remote::power_below;

template <class T>
void load_all(std::vector<T>& to, std::span<const std::byte> from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = wire::load<T>(from.data() + i * sizeof(T));
}

}  // namespace collective

// All nodes have arrived, and the remote writes that each made before are in place.
//
// log2 p messages (Hensgen, Finkel, Manber 1988) tell a node that all have arrived. They do not tell it
// that all writes have: of three nodes, 0 may write to 2 and then tell 1, which tells 2, and nothing
// keeps the write from coming last, since messages keep their order only between two nodes. (The papers
// leave a deviation of CG's residual on Ethernet unexplained, where a slow big write is likely to be
// overtaken.) So our messages carry counts: how many writes were sent to each node. Each round halves
// them (a reduce-scatter by recursive halving), so that in the end a node knows how many were sent to
// it, by all; it then waits until it has executed as many. The messages are as many as before, and
// 4 (p - 1) bytes in all.
// Collective; exec() blocks the thread until all nodes have called it; nodes that differ in what they call end the
// job.
class Barrier {
 public:
  // Blocks until all nodes have called it and the writes before are in place.
  void exec(std::source_location where = std::source_location::current());
};

// A value of each node, combined.
// Collective; exec() blocks the thread until the result is here; nodes that differ in what they call, or in n, end
// the job.
template <class T>
class Reduction {
  static_assert(wire::plain<T>, "values of a Reduction are trivially copyable");

 public:
  // The values of all nodes combined by op(T, T), on every node, the same bits on each. op: associative;
  // they are combined in the order of the nodes, or in any order if it commutes (remote/collectives/reduce.hpp).
  template <class Op>
  T exec(const T& value, Op op, std::source_location where = std::source_location::current()) {
    T result = value;
    exec(&result, 1, op, where);
    return result;
  }

  // n values, element by element, in place. Recursive doubling; partners combine in the order of their numbers.
  template <class Op>
  void exec(T* values, std::int64_t n, Op op, std::source_location where = std::source_location::current()) {
    using namespace collective;
    round_trip trip;
    const std::span<T> mine(values, static_cast<std::size_t>(n));
    std::vector<T> theirs(mine.size());
    auto send = [&](int node, std::uint32_t step) { trip.send(node, step, std::as_bytes(mine)); };
    auto receive = [&](int node, std::uint32_t step) {
      load_all(theirs, trip.receive(node, step, mine.size_bytes(), where));
    };
    const remote::round_members doubling(numNode, !reduce::commutes<Op, T>);
    const int other_half = doubling.partner(myNode);
    if (doubling.lends(myNode)) {
      send(other_half, fold_in);
      receive(other_half, fold_out);
      std::copy(theirs.begin(), theirs.end(), mine.begin());
      return;
    }
    if (other_half != no_pe) {
      receive(other_half, fold_in);
      for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = op(mine[i], theirs[i]);
    }
    std::uint32_t round = 0;
    const int number = doubling.number(myNode);
    for (int distance = 1; distance < doubling.count(); distance *= 2, ++round) {
      const int partner = number ^ distance;
      send(doubling.rank(partner), round);
      receive(doubling.rank(partner), round);
      if (number < partner)
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = op(mine[i], theirs[i]);
      else
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = op(theirs[i], mine[i]);
    }
    if (other_half != no_pe) send(other_half, fold_out);
  }
};

}  // namespace tsubu::mpc
