// The members of a team in rows, so that what is for many of another node crosses the network once.
//
// A row is as many consecutive ranks as share a node; the last one may be short. A column is the members that have the
// same place in their rows. In a short row a PE stands in for the columns that have no member there: it has its
// *posts*, its own place and every so many further ones. So each row has all columns, and every exchange is one within
// rows and one within columns, whatever the number of members.
#pragma once

#include <algorithm>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

class two_level_layout {
 public:
  constexpr two_level_layout(pe_id size, pe_id columns) : size_(size), columns_(std::clamp(columns, pe_id{1}, size)) {}

  constexpr pe_id columns() const { return columns_; }
  constexpr pe_id rows() const { return (size_ - 1) / columns_ + 1; }
  constexpr pe_id row_of(pe_id rank) const { return rank / columns_; }
  constexpr pe_id column_of(pe_id rank) const { return rank % columns_; }
  // Members of a row.
  constexpr pe_id width(pe_id row) const { return std::min(columns_, size_ - row * columns_); }
  // Whether that post is a member's own place.
  constexpr bool is_place(pe_id row, pe_id column) const { return column < width(row); }
  // The rank of who is at that post.
  constexpr pe_id at(pe_id row, pe_id column) const { return row * columns_ + column % width(row); }

  // Calls f(column) for each post of a member, its own place first.
  template <class F>
  constexpr void for_each_post(pe_id rank, F f) const {
    for (pe_id column = column_of(rank); column < columns_; column += width(row_of(rank))) f(column);
  }

 private:
  pe_id size_;
  pe_id columns_;
};

// Some posts in a circle, numbered from 0: those of a row, one for each member, or those of a column.
class ring {
 public:
  static constexpr ring row_of(const two_level_layout& rows, pe_id rank) {
    const pe_id row = rows.row_of(rank);
    return {rows, true, row, rows.column_of(rank), rows.width(row)};
  }
  static constexpr ring column_of(const two_level_layout& rows, pe_id rank, pe_id column) {
    return {rows, false, column, rows.row_of(rank), rows.rows()};
  }

  constexpr pe_id size() const { return size_; }
  constexpr pe_id place() const { return place_; }
  // So many places further, or back.
  constexpr pe_id place_after(pe_id distance) const { return (place_ + distance) % size_; }
  constexpr pe_id place_before(pe_id distance) const { return (place_ + size_ - distance) % size_; }
  constexpr pe_id rank_at(pe_id place) const { return is_row_ ? rows_.at(line_, place) : rows_.at(place, line_); }

 private:
  constexpr ring(const two_level_layout& rows, bool is_row, pe_id line, pe_id place, pe_id size)
      : rows_(rows), is_row_(is_row), line_(line), place_(place), size_(size) {}

  two_level_layout rows_;
  bool is_row_;
  pe_id line_;  // which row or column
  pe_id place_;
  pe_id size_;
};

}  // namespace tsubu::remote
