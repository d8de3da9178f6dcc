// The place of an element of an array: what the accesses to it ask (access.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "tsubu/data/arrays/array_part.hpp"
#include "tsubu/data/space.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::data {

[[noreturn, gnu::cold]] inline void refuse_ended(std::uint32_t array, std::size_t index) {
  fail("PE " + std::to_string(this_pe()) + " accesses element " + std::to_string(index) + " of shared array " +
       std::to_string(array) + ", which has ended");
}

// The place of an element.
template <class T, class D>
struct element_place {
  std::uint64_t index;
  std::uint32_t array;

  key name() const { return key::of_element(array, index); }
  [[gnu::always_inline]] location where(const data_space& s) const { return part(s).where.template find<D>(index); }
  pe_id home() const { return where(this_space()).home; }

  // Where elements that follow each other have one home, that is two comparisons; else the distribution is asked.
  [[gnu::always_inline]] bool is_here(const data_space& s) const {
    if constexpr (std::same_as<D, by_block>) {
      const numbering& n = part(s).numbers();
      return index - n.first < n.count;
    } else {
      return where(s).home == s.me;
    }
  }
  [[gnu::always_inline]] T* value_to_read(data_space& s) const {
    values_part<T>& p = part(s);
    const std::uint64_t n = number_here(p);
    if (T* value = p.plain(n)) [[likely]]
      return value;
    return p.with_entry(n, [](const directory_entry& entry) { return entry.try_read_at_home(); });
  }
  [[gnu::always_inline]] T* value_to_write(data_space& s) const {
    values_part<T>& p = part(s);
    const std::uint64_t n = number_here(p);
    if (T* value = p.plain(n)) [[likely]]
      return value;
    return p.with_entry(n, [](const directory_entry& entry) { return entry.try_write_at_home(); });
  }
  directory_entry* entry_here(data_space& s) const { return &part(s).entry_at(index, s.me); }
  bool has_nothing_here(const data_space& s) const {
    const values_part<T>& p = part(s);
    return p.copies_here() == 0 && p.how != protocol::accumulate;
  }
  // Elements may be many: the program says whether a PE is likely to add to one again.
  bool merges_adds(const data_space& s) const { return part(s).how == protocol::accumulate; }

  [[gnu::always_inline]] values_part<T>& part(const data_space& s) const {
    array_part* p = s.arrays[array].get();
    if (p == nullptr) [[unlikely]]
      refuse_ended(array, index);
    return static_cast<values_part<T>&>(*p);
  }

 private:
  std::uint64_t number_here(const values_part<T>& p) const {
    return std::same_as<D, by_block> ? index - p.numbers().first : where(this_space()).number;
  }
};

}  // namespace tsubu::data
