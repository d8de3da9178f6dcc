// A long list in slices of a thousand: a loop over one sends without waiting, then asks whether there is room.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

namespace bfs {

template <class T>
class slices {
 public:
  static constexpr std::size_t length = 1000;

  explicit slices(std::span<T> all) : all_(all) {}

  struct end_of_list {};
  class iterator {
   public:
    explicit iterator(std::span<T> rest) : rest_(rest) {}
    std::span<T> operator*() const { return rest_.first(std::min(length, rest_.size())); }
    iterator& operator++() {
      rest_ = rest_.subspan((**this).size());
      return *this;
    }
    bool operator==(end_of_list) const { return rest_.empty(); }

   private:
    std::span<T> rest_;
  };

  iterator begin() const { return iterator(all_); }
  end_of_list end() const { return {}; }

 private:
  std::span<T> all_;
};

}  // namespace bfs
