// What a PE has of a shared array: the values of the elements whose home it is, and of those that are shared, an entry.
//
// An element that nobody else uses costs one bit. Its directory entry is made when another PE is to keep its value, or
// its protocol becomes another than the array's, and goes with that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/data/arrays/element_values.hpp"
#include "tsubu/data/arrays/locator.hpp"
#include "tsubu/data/profile/declared.hpp"
#include "tsubu/data/variables/directory_entry.hpp"

namespace tsubu::data {

class array_part {
 public:
  array_part(const value_type& t, const data::declared& as, const locator& elements)
      : type(&t), where(elements), declared_at(as.at), watched(as.watched) {
    set_protocol(as.how);
  }
  array_part(const array_part&) = delete;
  array_part& operator=(const array_part&) = delete;
  virtual ~array_part() = default;

  // The directory entry of an element whose home is this PE; it is made if there is none. Ends the job if its home is
  // not here.
  virtual directory_entry& entry_at(std::uint64_t index, pe_id asked_by) = 0;
  // Drops it if it says no more than an element without one.
  virtual void done_with(std::uint64_t index) = 0;
  // The indices of the elements that have an entry.
  virtual std::vector<std::uint64_t> recorded() const = 0;
  virtual void for_each_entry(void (*f)(directory_entry&)) = 0;

  void set_protocol(protocol p) {
    adapts = p == protocol::adaptive;
    how = adapts ? protocol::global : p;
    look_for_shared();
  }
  // Copies of elements of other PEs, on this one.
  std::uint32_t copies_here() const { return copies_here_; }
  void count_copies(int more) {
    copies_here_ += static_cast<std::uint32_t>(more);
    look_for_shared();
  }

  const value_type* const type;
  const locator where;      // elements are
  site* const declared_at;  // null: nobody wants to know
  const bool watched;       // for a profile: each element that is used gets an entry
  protocol how;             // of elements without an entry; never adaptive
  bool adapts = false;      // elements that another PE accesses by awaiting get an entry, and are watched
  pe_id (*home_of)(const array_part& here, std::uint64_t index) = nullptr;

 protected:
  void set_all_plain(void* values) {
    all_plain_ = values;
    look_for_shared();
  }

  void* all_plain_ = nullptr;  // the values, if all are in memory and none has an entry
  void* all_simple_ =
      nullptr;  // the same, if nothing of other PEs' elements is here, or will be kept here for a moment

 private:
  void look_for_shared() { all_simple_ = copies_here_ == 0 && how != protocol::accumulate ? all_plain_ : nullptr; }

  std::uint32_t copies_here_ = 0;
};

// The element with number k here has the index first + k * stride.
struct numbering {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;  // one more than the greatest number

  std::uint64_t index(std::uint64_t number) const { return first + number * stride; }
  std::uint64_t number(std::uint64_t index) const { return (index - first) / stride; }
};

template <class T>
class values_part final : public array_part {
 public:
  values_part(block_store& store, std::uint32_t array, const value_type& t, const data::declared& as,
              const numbering& n, const locator& elements, const T& initial)
      : array_part(t, as, elements),
        numbers_(n),
        array_(array),
        values_(store, n.count, initial),
        has_record_((n.count + 63) / 64, watched ? ~std::uint64_t{0} : 0) {
    look_for_entries();
  }

  // The value of an element without an entry; else null. Null, too, if another PE has its block.
  [[gnu::always_inline]] T* plain(std::uint64_t number) {
    if (all_plain_ != nullptr) [[likely]]
      return all_plain() + number;
    if ((has_record_[number / 64] >> number % 64 & 1) != 0) [[unlikely]]
      return nullptr;
    return values_.find(number);
  }
  // The values by number, if all are plain and in memory; else null.
  T* all_plain() const { return static_cast<T*>(all_plain_); }
  // The same, if a past access to an element of another PE is nothing but its message.
  T* all_simple() const { return static_cast<T*>(all_simple_); }
  // The value of one that has an entry, if no other PE has its block, and `can` of the entry; else null.
  template <class Can>
  [[gnu::noinline]] T* with_entry(std::uint64_t number, Can can) {
    const auto found = entries_.find(number);
    if (found == entries_.end()) return nullptr;
    T* value = values_.find(number);
    return value != nullptr && can(found->second) ? value : nullptr;
  }
  const numbering& numbers() const { return numbers_; }

  directory_entry& entry_at(std::uint64_t index, pe_id asked_by) override {
    const std::uint64_t number = numbers_.number(index);
    require(index >= numbers_.first && number < numbers_.count && numbers_.index(number) == index,
            "PE {} accesses element {} of shared array {} on a PE that is not its home", asked_by, index, array_);
    has_record_[number / 64] |= std::uint64_t{1} << number % 64;
    if (all_plain_ != nullptr) set_all_plain(nullptr);
    return entry_or_new(number);
  }
  void done_with(std::uint64_t index) override {
    const std::uint64_t number = numbers_.number(index);
    const auto found = entries_.find(number);
    if (found == entries_.end()) return;
    const directory_entry& entry = found->second;
    if (entry.waiting() != nullptr || entry.owner != no_pe || !entry.sharers.empty() || entry.how != how ||
        entry.watch() != nullptr)
      return;
    has_record_[number / 64] &= ~(std::uint64_t{1} << number % 64);
    entries_.erase(found);
    look_for_entries();
  }

  std::vector<std::uint64_t> recorded() const override {
    std::vector<std::uint64_t> indices;
    for (const auto& [number, entry] : entries_) indices.push_back(entry.name.index());
    return indices;
  }
  void for_each_entry(void (*f)(directory_entry&)) override {
    for (auto& [number, entry] : entries_) f(entry);
  }
  element_values<T>& values() { return values_; }

 private:
  directory_entry& entry_or_new(std::uint64_t number) {
    const auto [place, made] =
        entries_.try_emplace(number, key::of_element(array_, numbers_.index(number)), *type, how, values_, number);
    directory_entry& entry = place->second;
    if (made && (adapts || watched)) entry.set_watch(new_pooled<history>(adapts, declared_at));
    return entry;
  }
  void look_for_entries() { set_all_plain(entries_.empty() && !watched ? values_.if_all_in_memory() : nullptr); }

  const numbering numbers_;
  const std::uint32_t array_;
  element_values<T> values_;
  std::vector<std::uint64_t> has_record_;  // a bit for each number
  std::unordered_map<std::uint64_t, element_entry> entries_;
};

}  // namespace tsubu::data
