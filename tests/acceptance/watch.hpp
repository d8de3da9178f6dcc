// What all PEs have of shared data, in one moment: PEs of a simulated job share a thread, so while one looks, the
// others stand still. In any other job only what the own PE has can be looked at.
#pragma once

#include <array>
#include <set>

#include "tsubu/tsubu.hpp"

namespace acceptance {

class watch {
 public:
  static constexpr std::size_t most_pes = 64;

  // Every PE calls it before anybody looks.
  void join() { spaces_.at(static_cast<std::size_t>(tsubu::this_pe())) = &tsubu::data::this_space(); }

  // Copies that can be read where they are, of any variable.
  std::size_t copies() const {
    std::size_t found = 0;
    for_each_space([&](tsubu::data::data_space& s) {
      s.copies.for_each([&](tsubu::data::key, const tsubu::data::copy& c) { found += c.can_read() ? 1 : 0; });
    });
    return found;
  }

  // Who could use a variable at once, and how many values they would find.
  struct users {
    int readers = 0;
    int writers = 0;  // readers, too
    std::set<long> values;
  };
  users users_of(const tsubu::shared<long>& x) const {
    users found;
    const tsubu::data::variable_place<long> place{x.name()};
    for_each_space([&](tsubu::data::data_space& s) {
      if (!place.is_here(s)) {
        tsubu::data::copy* const c = s.copies.find(x.name());
        if (c == nullptr || !c->can_read()) return;
        ++found.readers;
        found.writers += c->can_write() ? 1 : 0;
        found.values.insert(c->value<long>());
      } else if (const long* here = place.value_to_read(s)) {
        ++found.readers;
        found.writers += place.value_to_write(s) != nullptr ? 1 : 0;
        found.values.insert(*here);
      }
    });
    return found;
  }

 private:
  template <class F>
  void for_each_space(F look) const {
    for (std::size_t pe = 0; pe < spaces_.size(); ++pe) {
      const bool mine = static_cast<tsubu::pe_id>(pe) == tsubu::this_pe();
      if (spaces_[pe] != nullptr && (mine || tsubu::simulated != nullptr)) look(*spaces_[pe]);
    }
  }

  std::array<tsubu::data::data_space*, most_pes> spaces_{};  // each written by its PE
};

}  // namespace acceptance
