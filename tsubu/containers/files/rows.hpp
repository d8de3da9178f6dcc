// Rows of typed columns, over records that give each column as it stands in a file: what csv() and ndjson() share.
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

#include "tsubu/containers/files/step_iterator.hpp"

namespace tsubu::containers {

// An input range of std::tuple<T...>, which is walked once. Records has next() and skipped(); beside it stands
// read_column(Records&, std::size_t, T&), which says whether the column is a T, and has refused the record where not.
template <class Records, class... T>
class rows_of {
 public:
  using row = std::tuple<T...>;
  using iterator = step_iterator<rows_of, const row&>;

  explicit rows_of(Records records) : records_(std::move(records)) {}

  // Once.
  iterator begin() {
    step();
    return iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

  // How many records have been left out because they are wrong.
  std::size_t skipped() const { return records_.skipped(); }

 protected:
  const Records& records() const { return records_; }

 private:
  friend iterator;
  const row& current() const { return row_; }
  bool ended() const { return ended_; }
  void step() {
    do {
      ended_ = !records_.next();
    } while (!ended_ && !read(std::index_sequence_for<T...>()));
  }
  template <std::size_t... I>
  bool read(std::index_sequence<I...>) {
    return (read_column(records_, I, std::get<I>(row_)) && ...);
  }

  Records records_;
  row row_;
  bool ended_ = false;
};

}  // namespace tsubu::containers
