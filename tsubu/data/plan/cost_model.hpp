// What an execution is expected to take by each method: the paper's model, with the terms of a machine of today beside.
//
//   T_blk = T_all(p, n/p)     T_upd = T_w(p, k)     T_thd = T_r m
//
// for the exchange alone (what the program computes is the same under each method): n elements, p PEs, k elements of a
// PE that others need, m references to others' elements. EM-X sends an element as a packet whichever method; other
// machines send what is in one piece as one message, which has its own price, and pack what is not.
//
// Source: EM-X sparse CG (Sato et al. 1997), section 6.2.
#pragma once

#include <cstddef>

#include "tsubu/data/plan/machine_figures.hpp"
#include "tsubu/data/plan/method.hpp"
#include "tsubu/data/plan/pattern.hpp"

namespace tsubu::data {

// What one PE has to do in an execution, in numbers.
struct exchange_load {
  exchange_load() = default;
  exchange_load(const exchange_pattern& of, std::size_t bytes_of_element, int reading_tasks);

  double pes = 1;
  double own = 0, foreign = 0;    // elements of the vector: of this PE, of all others
  double sent = 0, received = 0;  // elements that are needed by others, and of others
  double destinations = 0, sources = 0;
  double occurrences = 0;  // of others' elements
  double element_bytes = 8;
  double tasks = 1;
};

// Seconds on the PE with that load. words_alone: each element is a message, whatever sends it.
double expected_seconds(plan_method method, const exchange_load& of, const machine_figures& on, bool words_alone);

}  // namespace tsubu::data
