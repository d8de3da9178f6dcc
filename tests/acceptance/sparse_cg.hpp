// NPB's CG as the EM-X paper has it: 10 inner steps, the product by one of its ways, in single or double precision.
//
// A product takes of a simulated machine's clocks what sparse_product.hpp says; a pass over the vectors as many as it
// has instructions for each element, which is assumed: its loads and stores, what it computes, and 2 for the loop.
#pragma once

#include <tsubu/tsubu.hpp>

#include <cmath>
#include <span>
#include <vector>

#include "apps/npb/cg.hpp"
#include "tests/acceptance/sparse_product.hpp"

namespace acceptance {

template <class T>
using block = std::span<T>;

inline void pass(std::size_t elements, int instructions) { work(static_cast<double>(elements) * (instructions + 2)); }

// z = 0, r = p = x; the own part of x . x
template <class T>
T start(block<const T> x, block<T> z, block<T> r, block<T> p) {
  T rho = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    z[i] = 0;
    r[i] = p[i] = x[i];
    rho += x[i] * x[i];
  }
  pass(x.size(), 6);
  return rho;
}

template <class T>
T dot(block<const T> x, block<const T> y) {
  T sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  pass(x.size(), 4);
  return sum;
}

// z += alpha p, r -= alpha q; the own part of r . r
template <class T>
T advance(T alpha, block<const T> p, block<const T> q, block<T> z, block<T> r) {
  T rho = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    z[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    rho += r[i] * r[i];
  }
  pass(p.size(), 12);
  return rho;
}

// p = r + beta p
template <class T>
void turn(T beta, block<const T> r, block<T> p) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
  pass(p.size(), 5);
}

// The own part of |x - az|^2
template <class T>
T residual(block<const T> x, block<const T> az) {
  T sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - az[i]) * (x[i] - az[i]);
  pass(x.size(), 5);
  return sum;
}

template <class T>
void scale(T factor, block<const T> z, block<T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = factor * z[i];
  pass(x.size(), 3);
}

// The benchmark without its untimed iteration; returns zeta.
template <class T>
task<T> cg(product<T>& a, const npb::cg_class& problem, way by, int iterations) {
  constexpr int inner_steps = 10;
  std::vector<T> x(index(a.size), 1), z(x), r(x), p(x), q(x);
  const auto sum = [](T mine) { return all_reduce(mine, reduce::plus); };
  T zeta = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    T rho = co_await sum(start<T>(x, z, r, p));
    for (int step = 0; step < inner_steps; ++step) {
      co_await a.run(by, p, q);
      const T alpha = rho / co_await sum(dot<T>(p, q));
      const T before = rho;
      rho = co_await sum(advance<T>(alpha, p, q, z, r));
      turn<T>(rho / before, r, p);
    }
    co_await a.run(by, z, q);
    co_await sum(residual<T>(x, q));  // the benchmark prints its root, of which nothing depends
    zeta = static_cast<T>(problem.shift) + 1 / co_await sum(dot<T>(x, z));
    scale<T>(1 / std::sqrt(co_await sum(dot<T>(z, z))), z, x);
  }
  co_return zeta;
}

}  // namespace acceptance
