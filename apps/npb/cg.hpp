// NPB CG: the smallest eigenvalue of a random sparse symmetric matrix by inverse iteration, each step of which solves
// A z = x with 25 conjugate-gradient steps.
//
// Sources: Bailey et al., The NAS Parallel Benchmarks, 1994, section 2.4 ("CG"); NPB 3.4 for the classes and the
// generator; the 1-D row distribution is that of Takahashi et al.'s CG on MPC++ and of the EM-X paper.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "apps/npb/csr.hpp"

namespace npb {

struct cg_class {
  char name;
  int na;                 // rows and columns
  int nonzer;             // entries of each generating vector
  int niter;              // outer iterations
  double shift;           // added to 1 / (x.z); subtracted from the diagonal
  double zeta;            // the eigenvalue estimate that verifies a run
  std::int64_t nonzeros;  // of the matrix; 0: not tabulated
};

inline constexpr int cg_inner_steps = 25;
inline constexpr double cg_tolerance = 1e-10;  // of zeta, relative

std::span<const cg_class> cg_classes();

// The class named by one letter (either case). Throws std::invalid_argument that lists the classes.
const cg_class& cg_class_named(std::string_view name);

// Rows [first_row, last_row) of the class's matrix. Every PE generates all vectors from the one random stream and keeps
// its rows, so the rows are bit-identical however the matrix is split.
// Memory: the part kept + 12 * na * (nonzer + 1) bytes for the vectors + 8 * that share of them which touches the part.
csr make_matrix(const cg_class& problem, std::int64_t first_row, std::int64_t last_row);
inline csr make_matrix(const cg_class& problem) { return make_matrix(problem, 0, problem.na); }

// The vector operations of a conjugate-gradient step, on the local block of each vector; all spans of equal length.
// The scalars that they return are local parts: a distributed program adds them up over the PEs.

// x . y
double dot(std::span<const double> x, std::span<const double> y);
// z = 0, r = p = x; returns x . x
double cg_start(std::span<const double> x, std::span<double> z, std::span<double> r, std::span<double> p);
// z += alpha p, r -= alpha q; returns r . r
double cg_advance(double alpha, std::span<const double> p, std::span<const double> q, std::span<double> z,
                  std::span<double> r);
// p = r + beta p
void cg_direct(double beta, std::span<const double> r, std::span<double> p);
// |x - az|^2
double cg_residual(std::span<const double> x, std::span<const double> az);
// x = factor * z
void scale(double factor, std::span<const double> z, std::span<double> x);

// Solves A z = x approximately by `steps` steps from z = 0, without a stopping test. Returns ||x - A z||, explicitly
// formed. a: the whole matrix.
double conj_grad(const csr& a, std::span<const double> x, std::span<double> z, int steps = cg_inner_steps);

// What a run computed.
struct cg_result {
  std::vector<double> zeta;  // after each outer iteration
  double residual = 0;       // of the last solve
  double seconds = 0;        // of the timed iterations

  double final_zeta() const { return zeta.empty() ? 0 : zeta.back(); }
};

// The whole benchmark on one PE: an untimed iteration, then niter timed ones.
// steps: inner steps; NPB has 25, the EM-X paper 10 (class S verifies with both).
cg_result run_cg(const cg_class& problem, const csr& a, int steps = cg_inner_steps);

// |zeta - reference| / reference <= 1e-10, and zeta is a number.
bool cg_verified(const cg_class& problem, double zeta);

// NPB's rate, in million operations a second, of a run whose timed part took `seconds`.
double cg_mops(const cg_class& problem, double seconds);

}  // namespace npb
