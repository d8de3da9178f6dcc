// Programs that those in C and in Fortran start by their names, on values that they hand over.
#include "tests/inside_mpi/named_programs.h"

#include <tsubu/mpi.hpp>
#include <tsubu/tsubu.hpp>

#include <span>
#include <string>

using namespace tsubu;

namespace {

std::span<const double> given;
double* sum_of_all = nullptr;

pe_local<double> received;
void receive(double value) { *received += value; }

// Each value is a message to a PE, by turns; all learn the sum, times the factor.
task<int> adds_up(arguments args) {
  const double factor = args.size() > 1 ? std::stod(std::string(args[1])) : 1;
  pe_id to = this_pe();
  for (const double value : given) {
    to = (to + 1) % pe_count();
    co_await at(to).past<receive>(value);
  }
  co_await quiescence();
  const double sum = co_await all_reduce(*received, reduce::plus);
  *sum_of_all = factor * sum;
  co_return 0;
}

task<int> returns_its_pe(arguments) { co_return this_pe(); }

const mpi::named_program first("adds_up", adds_up);
const mpi::named_program second("returns_its_pe", returns_its_pe);
const mpi::named_program third("twice", adds_up), fourth("twice", returns_its_pe);

}  // namespace

void hand_over(const double* values, int n, double* sum) {
  given = {values, static_cast<std::size_t>(n)};
  sum_of_all = sum;
}
