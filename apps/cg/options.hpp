// What the user asked for.
#pragma once

#include <string>

#include "apps/cg/product.hpp"

namespace cg {

struct options {
  std::string class_name = "S";
  std::string matrix_file;  // empty: the matrix of the class
  exchange_kind exchange = exchange_kind::block;
  bool thin = false;
  bool json = false;

  const char* exchange_name() const { return exchange == exchange_kind::block ? "block" : "update"; }
};

}  // namespace cg
