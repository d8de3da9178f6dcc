#include "apps/cg/solver.hpp"

#include <algorithm>
#include <cmath>

#include "apps/npb/cg.hpp"
#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

// What the vectors of a step take for a row, declared as what a nonzero takes in product.cpp.
static constexpr double clocks_of_row = 6;

task<double> sum(double local) { return all_reduce(local, reduce::plus); }

solver::solver(std::unique_ptr<product> a)
    : a_(std::move(a)), b_(a_->rows()), z_(b_.size()), r_(b_.size()), q_(b_.size()), p_(a_->x()) {}

task<void> solver::start() { rho_ = co_await sum(npb::cg_start(b_, z_, r_, p_)); }

task<double> solver::step() {
  co_await a_->multiply(q_);
  const double curvature = co_await sum(npb::dot(p_, q_));
  const double before = rho_;
  work(clocks_of_row * static_cast<double>(p_.size()));
  rho_ = co_await sum(npb::cg_advance(before / curvature, p_, q_, z_, r_));
  npb::cg_direct(rho_ / before, r_, p_);
  co_return curvature;
}

task<double> solver::residual() {
  std::ranges::copy(z_, p_.begin());
  co_await a_->multiply(q_);
  co_return std::sqrt(co_await sum(npb::cg_residual(b_, q_)));
}

task<void> solver::set_b_to_product_with(double value) {
  std::ranges::fill(p_, value);
  co_await a_->multiply(b_);
}

}  // namespace cg
