// Row M16: LAM reduces linearly up to 4 nodes and by a tree above; MTTL always by a tree.
// Method: the values that are reduced carry how many combinations and hand-ons lie behind them, one after the other.
// Both reductions run on the same layer, and are timed.
#include "tests/acceptance/mttl_counts.hpp"

#include "tests/acceptance/mpi_like.hpp"

using namespace acceptance;

namespace {

struct stamped {
  double value;
  int rounds;
};

stamped combine(stamped a, stamped b) { return {a.value + b.value, std::max(a.rounds, b.rounds) + 1}; }

stamped exchange(stamped mine, int partner) {
  stamped theirs{};
  const mpi_like::request arriving = mpi_like::Irecv(&theirs, 1, partner);
  mpi_like::Send(&mine, 1, partner);
  mpi_like::Wait(arriving);
  return theirs;
}

// One node gathers all values, one after the other, and hands the sum on likewise.
stamped reduce_linearly(stamped v) {
  if (myNode != 0) return exchange(v, 0);
  for (int from = 1; from < numNode; ++from) {
    stamped theirs{};
    mpi_like::Wait(mpi_like::Irecv(&theirs, 1, from));
    v = combine(v, theirs);
  }
  for (int to = 1; to < numNode; ++to) {
    ++v.rounds;
    mpi_like::Send(&v, 1, to);
  }
  return v;
}

stamped reduce_as_lam(stamped v) {
  if (numNode <= 4) return reduce_linearly(v);
  for (int distance = 1; distance < numNode; distance *= 2) v = combine(v, exchange(v, myNode ^ distance));
  return v;
}

stamped reduce_as_mttl(stamped v) { return Reduction<stamped>().exec(v, combine); }

struct measured {
  double sum = 0;
  int rounds = 0;
  double us = 0;
};

measured measure(stamped (*reduction)(stamped)) {
  constexpr int times = 200;
  measured m;
  const stamped all = reduction({1.0, 0});
  m.sum = all.value;
  m.rounds = Reduction<int>().exec(all.rounds, tsubu::reduce::max);
  const double start = seconds();
  for (int i = 0; i < times; ++i) reduction({1.0, 0});
  m.us = (seconds() - start) * 1e6 / times;
  return m;
}

struct both {
  measured lam, mttl;
};

both run() {
  const auto set_numbers = [] {
    myNode = mpi_like::rank = tsubu::this_pe();
    numNode = mpi_like::size = tsubu::pe_count();
  };
  set_numbers();
  tsubu::remote::current_pe->when_entered(set_numbers);
  tsubu::wait(tsubu::barrier());
  const measured lam = measure(reduce_as_lam);
  return {lam, measure(reduce_as_mttl)};
}

}  // namespace

int mpc_main(int, char**) {
  const std::vector<both> results = on_all_nodes(run);
  const measured lam = results[0].lam, mttl = results[0].mttl;
  int log2_p = 0;
  while (2 << log2_p <= numNode) ++log2_p;
  const bool few = numNode <= 4;
  const int expected = few ? 2 * (numNode - 1) : log2_p;
  char ours[100];
  std::snprintf(ours, sizeof ours, "%d against %d (%.1f and %.1f us)", lam.rounds, mttl.rounds, lam.us, mttl.us);
  row("M16", with_nodes("rounds of a reduction, LAM's against MTTL's", results.size()),
      std::to_string(expected) + " against " + std::to_string(log2_p) + (few ? ", differ" : ", alike"), ours,
      lam.rounds == expected && mttl.rounds == log2_p && lam.sum == numNode && mttl.sum == numNode &&
          (lam.rounds != mttl.rounds) == few);
  return verdict();
}
