// What foreign.abcl has of C++: functions, a class of concurrent objects, and one that knows nothing of them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>

#include "abcl/runtime/values.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/task/yield.hpp"

namespace shapes {

inline double area(double width, double height) { return width * height; }
inline int twice(std::int64_t n) { return static_cast<int>(2 * n); }
std::string shout(const std::string& text);  // shapes.cpp
inline std::tuple<std::int64_t, std::string> measured(const std::string& text) {
  return {static_cast<std::int64_t>(text.size()), text};
}
inline std::int64_t sum(const abcl::array<std::int64_t>& all) {
  std::int64_t total = 0;
  for (const std::int64_t each : all) total += each;
  return total;
}
inline void fill(const abcl::array<std::int64_t>& all, std::int64_t value) {
  for (std::int64_t& each : all) each = value;
}
inline std::int64_t counted() {
  static thread_local std::int64_t calls = 0;
  return ++calls;
}
inline std::int64_t checked(std::int64_t n) {
  if (n < 0) throw std::out_of_range("a negative number");
  return n;
}

class counter : public tsubu::object<counter> {
 public:
  explicit counter(std::int64_t start) : n_(start) {}
  void add(std::int64_t k) { n_ += k; }
  std::int64_t get() const { return n_; }
  tsubu::task<std::int64_t> add_slowly(std::int64_t k) {
    const std::int64_t before = n_;
    co_await tsubu::yield();
    n_ = before + k;
    co_return n_;
  }

 private:
  std::int64_t n_;
};

class stack {
 public:
  void push(std::string text) { all_ += text + ' '; }
  std::string all() { return all_; }
  void operator()(std::int64_t) { all_.clear(); }

 private:
  std::string all_;
};

}  // namespace shapes
