// What the user asked for.
#pragma once

#include <string>

#include "tsubu/data/plan/exchange_plan.hpp"

namespace cg {

struct options {
  std::string class_name = "S";
  std::string matrix_file;  // empty: the matrix of the class
  tsubu::plan_options exchange{.method = tsubu::plan_method::block};
  bool reorder = false;     // the rows and columns of the file's matrix
  bool thin = false;
  bool json = false;
};

}  // namespace cg
