// The conjugate-gradient method on distributed vectors: A z = b, for a symmetric A.
//
// A PE has its block of rows of A and of each vector; scalars are all_reduced, to the same bits on every PE, so that
// all take the same decisions.
//
// Source: Hestenes and Stiefel 1952, in the form of NPB CG (Bailey et al. 1994, section 2.4).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "apps/cg/product.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

// The sum of the PEs' values. Collective.
tsubu::task<double> sum(double local);

class solver {
 public:
  explicit solver(std::unique_ptr<product> a);

  // The blocks of this PE: the right-hand side, which the caller sets, and the solution so far.
  std::span<double> b() { return b_; }
  std::span<double> z() { return z_; }

  // From z = 0. Collective.
  tsubu::task<void> start();
  // Returns p.Ap, which is positive in every step if A is positive definite (NPB's matrix is not). Collective.
  tsubu::task<double> step();

  // How the elements come that other PEs have.
  std::string_view exchange() const { return a_->exchange(); }

  // |r|^2 of the residual that the steps carry along, of all PEs.
  double rho() const { return rho_; }
  // ||b - A z||, explicitly formed; ends the steps. Collective.
  tsubu::task<double> residual();
  // b = A v, where this PE's block of v has `value` everywhere. Collective.
  tsubu::task<void> set_b_to_product_with(double value);

 private:
  std::unique_ptr<product> a_;
  std::vector<double> b_, z_, r_, q_;
  std::span<double> p_;  // where the product expects its x
  double rho_ = 0;
};

}  // namespace cg
