// What histogram.abcl has of C++: a function, and a class of concurrent objects.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "tsubu/object/object.hpp"

namespace histogram {

// An Int is a std::int64_t. Each bit of the result depends on all of n; it is not negative.
std::int64_t scattered(std::int64_t n);

// Its methods are called as the tags of the messages are. A tuple of ABCL/ST is a std::tuple.
class bins : public tsubu::object<bins> {
 public:
  explicit bins(std::int64_t count) : counts_(static_cast<std::size_t>(count)) {}

  void add(std::int64_t n) { ++counts_[static_cast<std::size_t>(n) % counts_.size()]; }
  std::int64_t total() const;
  // Which bin has most, and how many these are.
  std::tuple<std::int64_t, std::int64_t> fullest() const;

 private:
  std::vector<std::int64_t> counts_;
};

}  // namespace histogram
