// Which classes an object's class is derived from, where a ref of a base names it.
//
// C++ does not list the bases of a class. But it finds them when an exception is caught: a pointer to an object that is
// thrown comes to the handler for a pointer to an unambiguous, public base, with the address of that part. So this is
// asked once on a PE for each pair of a class and a base, and kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

class base_classes {
 public:
  static constexpr std::ptrdiff_t no_base = std::numeric_limits<std::ptrdiff_t>::min();

  // How many bytes from its header an object of class `whole` has its part of class `base`, or no_base.
  std::ptrdiff_t offset(std::uint32_t whole, std::uint32_t base, object_base& o) {
    if (whole < of_.size()) {
      for (const known& k : of_[whole]) {
        if (k.base == base) return k.offset;
      }
    }
    return find(whole, base, o);
  }

 private:
  struct known {
    std::uint32_t base;
    std::ptrdiff_t offset;
  };
  std::ptrdiff_t find(std::uint32_t whole, std::uint32_t base, object_base& o);

  std::vector<std::vector<known>> of_;  // by class
};

}  // namespace tsubu::objects
