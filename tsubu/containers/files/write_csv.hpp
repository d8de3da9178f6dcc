// The rows that all PEs have, as CSV files: one of each PE, and a list of them.
//
//   co_await write_csv("sums", "city,fare", sums);          // by every PE: a map, or a range of what it has
//   auto rows = co_await csv<std::string, double>("sums", "city,fare");
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/containers/files/written_folder.hpp"

namespace tsubu {

namespace containers {

// How many columns a value takes: a pair or a tuple as many as its parts, all others one.
template <class T>
inline constexpr std::size_t csv_width = 1;
template <class... T>
inline constexpr std::size_t csv_width<std::tuple<T...>> = (0 + ... + csv_width<std::remove_cvref_t<T>>);
template <class A, class B>
inline constexpr std::size_t csv_width<std::pair<A, B>> =
    csv_width<std::remove_cvref_t<A>> + csv_width<std::remove_cvref_t<B>>;
template <class T>
inline constexpr std::size_t csv_width<std::vector<T>> = csv_width<T>;

// A row on its way to a part file.
class csv_row_text {
 public:
  csv_row_text(part_writer& to, char delimiter) : to_(to), delimiter_(delimiter) {}

  void add(std::string_view field);
  template <class T>
    requires(std::integral<T> || std::floating_point<T>)
  void add(const T& value) {
    static_assert(!std::is_same_v<T, bool>, "a column is a text, a number, or an optional one");
    std::array<char, 64> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }
  template <class T>
  void add(const std::optional<T>& value) {
    if (value.has_value()) return add(*value);
    add(std::string_view());
  }
  template <class A, class B>
  void add(const std::pair<A, B>& both) {
    add(both.first);
    add(both.second);
  }
  template <class... T>
  void add(const std::tuple<T...>& all) {
    std::apply([this](const auto&... value) { (add(value), ...); }, all);
  }
  void end();

 private:
  part_writer& to_;
  const char delimiter_;
  std::string text_;
  std::size_t fields_ = 0;
};

// Rows behind a header.
class csv_row_format {
 public:
  // Throws data_file_error of a header that has not as many columns as the rows.
  csv_row_format(std::string header, std::size_t width, char delimiter);

  static constexpr std::string_view type() { return "csv"; }
  void begin(part_writer& to) const;
  template <class Row>
  void put(part_writer& to, const Row& row) const {
    csv_row_text text(to, delimiter_);
    text.add(row);
    text.end();
  }
  // What a multimap has of a key: a row for each of its values.
  template <class K, class V>
  void put(part_writer& to, const std::pair<K, std::vector<V>>& key_with_values) const {
    const auto& [key, values] = key_with_values;
    for (const V& value : values) put(to, std::pair<const K&, const V&>(key, value));
  }

 private:
  std::string header_;
  char delimiter_;
};

}  // namespace containers

// Writes each PE's rows, pairs or tuples of texts, numbers and optional ones, into a part file of its own, as
// write_lines() does it, in RFC 4180's format; `header` names the columns in each. What is put together from pairs and
// tuples is written column by column, and of a multimap there is a row for each value. An optional value that is not
// there, and an empty text, are an empty field.
// Collective; blocks until all is on the disk; throws data_file_error, on every PE, if the disk is full, for example,
// or the header has another number of columns: then the folder has what it had.
template <class Rows>
task<void> write_csv(std::string folder, std::string header, Rows&& rows, char delimiter = ',',
                     std::source_location where = std::source_location::current()) {
  using row = containers::element_of<std::remove_reference_t<Rows>>;
  containers::csv_row_format format(std::move(header), containers::csv_width<row>, delimiter);
  return containers::write_what(std::move(folder), std::forward<Rows>(rows), std::move(format), where);
}

}  // namespace tsubu
