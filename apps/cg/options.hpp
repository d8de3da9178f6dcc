// What the user asked for.
#pragma once

#include <string>

#include "apps/cg/layout.hpp"
#include "tsubu/data/plan/exchange_plan.hpp"

namespace cg {

// How the rows and columns of a file's matrix are numbered.
enum class numbering { as_given, by_bandwidth, by_cut };

struct options {
  std::string class_name = "S";
  std::string matrix_file;  // empty: the matrix of the class
  tsubu::plan_options exchange;
  int reductions = 2;  // of a step
  distribution how = distribution::rows;
  numbering reorder = numbering::as_given;
  bool thin = false;
  bool json = false;
};

}  // namespace cg
