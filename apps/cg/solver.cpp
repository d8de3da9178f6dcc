#include "apps/cg/solver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/npb/cg.hpp"
#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

namespace {

// What the vectors of a step take for a row, declared as what a nonzero takes in product.cpp.
constexpr double clocks_of_row = 6;
constexpr double clocks_of_row_with_one = 8;  // a vector more: scaled by the bytes moved

// Source: Hestenes and Stiefel 1952, in the form of NPB CG (Bailey et al. 1994, section 2.4).
class with_two_reductions : public solver {
 public:
  explicit with_two_reductions(std::unique_ptr<product> a) : solver(std::move(a)), r_(b_.size()), p_(a_->x()) {}

  task<void> start() override { rho_ = co_await sum(npb::cg_start(b_, z_, r_, p_)); }

  task<bool> step() override {
    if (rho_ == 0) co_return true;
    co_await a_->multiply(product_);
    const double curvature = co_await sum(npb::dot(p_, product_));
    const double before = rho_;
    work(clocks_of_row * static_cast<double>(p_.size()));
    rho_ = co_await sum(npb::cg_advance(before / curvature, p_, product_, z_, r_));
    npb::cg_direct(rho_ / before, r_, p_);
    co_return curvature > 0;
  }

 private:
  std::vector<double> r_;
  std::span<double> p_;  // where the product expects its x
};

struct two_sums {
  double r_r = 0, r_ar = 0;
};

// Multiplies by the residual, before which r.r and r.Ar are both known, and keeps A p by the same recurrence as p.
// Source: Chronopoulos and Gear 1989, algorithm 2.
class with_one_reduction : public solver {
 public:
  explicit with_one_reduction(std::unique_ptr<product> a)
      : solver(std::move(a)), r_(a_->x()), p_(b_.size()), ap_(b_.size()) {}

  task<void> start() override {
    mine_ = npb::cg_start(b_, z_, r_, p_);
    rho_ = co_await sum(mine_);
    std::ranges::fill(p_, 0.0);
    std::ranges::fill(ap_, 0.0);
    alpha_ = 0;
  }

  task<bool> step() override {
    co_await a_->multiply(product_);
    const two_sums mine{mine_, npb::dot(r_, product_)};
    const two_sums all = co_await all_reduce(
        mine, [](const two_sums& x, const two_sums& y) { return two_sums{x.r_r + y.r_r, x.r_ar + y.r_ar}; });
    if (all.r_r == 0) {
      rho_ = 0;
      co_return true;
    }
    const double beta = alpha_ == 0 ? 0 : all.r_r / rho_;
    const double curvature = alpha_ == 0 ? all.r_ar : all.r_ar - beta * all.r_r / alpha_;
    rho_ = all.r_r;
    alpha_ = rho_ / curvature;
    work(clocks_of_row_with_one * static_cast<double>(p_.size()));
    npb::cg_direct(beta, r_, p_);
    npb::cg_direct(beta, product_, ap_);
    mine_ = npb::cg_advance(alpha_, p_, ap_, z_, r_);
    co_return curvature > 0;
  }

 private:
  std::span<double> r_;  // where the product expects its x
  std::vector<double> p_, ap_;
  double mine_ = 0;   // this PE's part of |r|^2
  double alpha_ = 0;  // of the last step; 0 before the first
};

}  // namespace

task<double> sum(double local) { return all_reduce(local, reduce::plus); }

solver::solver(std::unique_ptr<product> a) : a_(std::move(a)), b_(a_->x().size()), z_(b_.size()), product_(b_.size()) {}

task<double> solver::residual() {
  std::ranges::copy(z_, a_->x().begin());
  co_await a_->multiply(product_);
  co_return std::sqrt(co_await sum(npb::cg_residual(b_, product_)));
}

task<std::string> solver::needs() const {
  const auto mine = static_cast<double>(a_->needs());
  const double all = co_await sum(mine);
  const double most = co_await all_reduce(mine, reduce::max);
  co_return fmt::format("{:.1f} values of other PEs in a product on the average PE, {:.0f} at most", all / pe_count(),
                        most);
}

task<void> solver::set_b_to_product_with(double value) {
  std::ranges::fill(a_->x(), value);
  co_await a_->multiply(b_);
}

std::unique_ptr<solver> make_solver(std::unique_ptr<product> a, int reductions) {
  if (reductions == 1) return std::make_unique<with_one_reduction>(std::move(a));
  return std::make_unique<with_two_reductions>(std::move(a));
}

}  // namespace cg
