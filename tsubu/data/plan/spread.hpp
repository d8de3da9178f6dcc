// Where each element of a spread vector is: on which PE, and there at which place, as the distribution tells.
//
// A PE's elements lie in the order of their indices. So a distribution (tsubu/object/distribution.hpp, or a class of
// the program's own) need only say home(i, n, pes); every PE works the places out for itself, once for a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::data {

class vector_spread {
 public:
  // Spreads n elements over the PEs of the job. Takes 8 bytes an element, until it is destroyed.
  template <class D>
  vector_spread(std::size_t n, D distribution) : counts_(static_cast<std::size_t>(pe_count())) {
    homes_.reserve(n);
    places_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      const pe_id home = distribution.home(i, n, pe_count());
      require(home >= 0 && home < pe_count(), "element {} of a spread vector is to be on PE {}", i, home);
      homes_.push_back(home);
      places_.push_back(counts_[static_cast<std::size_t>(home)]++);
    }
  }

  std::size_t size() const { return homes_.size(); }
  pe_id home(std::size_t i) const { return homes_[i]; }
  std::uint32_t place(std::size_t i) const { return places_[i]; }
  // How many elements each PE has.
  const std::vector<std::uint32_t>& counts() const { return counts_; }

 private:
  std::vector<pe_id> homes_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace tsubu::data
