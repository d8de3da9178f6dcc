// The conjugate-gradient method on distributed vectors: A z = b, for a symmetric A.
//
// A PE has its part of A and its elements of each vector; scalars are all_reduced, to the same bits on every PE, so
// that all take the same decisions.
#pragma once

#include <memory>
#include <span>
#include <string>
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
  virtual ~solver() = default;

  // The elements of this PE: of the right-hand side, which the caller sets, and of the solution so far.
  std::span<double> b() { return b_; }
  std::span<double> z() { return z_; }

  // From z = 0. Collective.
  virtual tsubu::task<void> start() = 0;
  // Returns whether p.Ap is positive, as it is if A is positive definite (NPB's matrix is not). Where nothing is left
  // of the residual nothing is done, and true returned. Collective.
  virtual tsubu::task<bool> step() = 0;

  // How the elements come that other PEs have.
  std::string_view exchange() const { return a_->exchange(); }
  // How many values of other PEs a product takes, in words. Collective.
  tsubu::task<std::string> needs() const;

  // |r|^2 of the residual that the steps carry along, of all PEs, as it was last reduced.
  double rho() const { return rho_; }
  // ||b - A z||, explicitly formed; ends the steps. Collective.
  tsubu::task<double> residual();
  // b = A v, where v has `value` everywhere. Collective.
  tsubu::task<void> set_b_to_product_with(double value);

 protected:
  std::unique_ptr<product> a_;
  std::vector<double> b_, z_;
  std::vector<double> product_;  // of the step
  double rho_ = 0;
};

// reductions: all_reduces of a step that wait for each other: 2, or 1.
std::unique_ptr<solver> make_solver(std::unique_ptr<product> a, int reductions);

}  // namespace cg
