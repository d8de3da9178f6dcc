// Collectives: what all PEs do together.
//
// run_spmd() starts the program on every PE, as under MPI. Every PE calls the same collectives in the
// same order; different ones at the same point are found out and end the job.
#include <tsubu/tsubu.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <vector>

using namespace tsubu;

// This PE's part of the integral of 4 / (1 + x^2) from 0 to 1: every pe_count()-th strip.
double part_of_pi(int strips) {
  double sum = 0;
  for (int i = this_pe(); i < strips; i += pe_count()) {
    const double x = (i + 0.5) / strips;
    sum += 4 / (1 + x * x);
  }
  return sum / strips;
}

// An operation of our own. What derives from op_base is told from an argument of a function. Of one that commutes
// values need not be combined in the order of their PEs.
struct gcd_op : reduce::op_base {
  static constexpr bool commutes = true;
  int operator()(int a, int b) const { return std::gcd(a, b); }
};
int sixfold_number() { return 6 * (this_pe() + 1); }

task<int> program(arguments) {
  const pe_id me = this_pe(), p = pe_count();
  bool right = true;

  // PE 0 decides, all know.
  const int strips = co_await broadcast(me == 0 ? 100'000 : 0);

  // The sum on every PE, the same bits on each.
  const double pi = co_await all_reduce(part_of_pi(strips), reduce::plus);
  right = right && std::abs(pi - std::numbers::pi) < 1e-9;

  // PE i has i + 1 things. Where do its own begin, if all are numbered through?
  const int mine = me + 1;
  const int begin = co_await scan(mine, reduce::plus) - mine;
  right = right && begin == me * (me + 1) / 2;

  // The product of the numbers up to p, and the greatest common divisor of 6, 12, 18, ..
  const double product = co_await all_reduce(double{1} * mine, reduce::times);
  right = right && std::abs(product / std::tgamma(p + 1) - 1) < 1e-9;
  constexpr gcd_op gcd;
  const int divisor = co_await everywhere().now<sixfold_number>(gcd);
  right = right && divisor == 6;

  // Values are combined in the order of the PEs, unless the operation commutes, as this one does.
  const int odd = co_await all_reduce(mine, reduce::commuting([](int a, int b) { return a ^ b; }));
  int expected = 0;
  for (int k = 1; k <= p; ++k) expected ^= k;
  right = right && odd == expected;

  // A value from each, on PE 0.
  const std::vector<int> begins = co_await gather(begin);
  if (me == 0) right = right && begins.size() == all_pes().size() && begins.back() == p * (p - 1) / 2;

  // A value for each, of any length: what goes to PE j has j + 1 elements.
  std::vector<std::vector<int>> rows;
  for (const pe_id to : all_pes()) rows.emplace_back(to + 1, me);
  const std::vector<std::vector<int>> columns = co_await all_to_all(std::move(rows));
  for (const pe_id from : all_pes()) right = right && columns[pe_index(from)] == std::vector<int>(pe_index() + 1, from);

  // Every PE has come this far.
  co_await barrier();
  if (me == 0) std::printf("pi is about %.9f\n", pi);
  co_return right ? 0 : 1;  // the job's exit code is the largest of them
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
