// The rows of CSV files, each on one PE, with the columns that are asked for.
//
//   auto trips = co_await csv<std::string_view, double>("trips/*.csv", "city,fare");      // by every PE
//   for (const auto& [city, fare] : trips) co_await fares.past().reduce(std::string(city), fare);
//
// The format is RFC 4180's, with a header: fields between quotes may hold delimiters, line feeds and doubled quotes.
// Lines end with LF or CRLF, empty ones are no rows, and a byte order mark is left out.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/containers/files/csv_records.hpp"
#include "tsubu/containers/files/rows.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace containers {

// What a field can be: a text, a number, or one of these that may be missing: an empty field is none.
template <class T>
concept csv_number = std::integral<T> || std::floating_point<T>;
template <class T>
inline constexpr bool is_csv_value =
    csv_number<T> || std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;
template <class T>
inline constexpr bool is_csv_value<std::optional<T>> = is_csv_value<T>;

inline bool read_field(std::string_view field, std::string_view& value) {
  value = field;
  return true;
}
inline bool read_field(std::string_view field, std::string& value) {
  value.assign(field);
  return true;
}
template <csv_number T>
bool read_field(std::string_view field, T& value) {
  constexpr std::string_view blank = " \t";
  const std::size_t begin = std::min(field.find_first_not_of(blank), field.size());
  field = field.substr(begin, field.find_last_not_of(blank) + 1 - begin);
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size();
}
template <class T>
bool read_field(std::string_view field, std::optional<T>& value) {
  value.reset();
  return field.empty() || read_field(field, value.emplace());
}

template <class T>
constexpr std::string_view what_is_expected(const T&) {
  return std::integral<T> ? "a whole number of its type" : "a number";
}
template <class T>
constexpr std::string_view what_is_expected(const std::optional<T>&) {
  return what_is_expected(T());
}

template <class T>
bool read_column(csv_records& of, std::size_t column, T& value) {
  if (read_field(of.field(column), value)) return true;
  of.refuse(column, "\"" + std::string(of.field(column)) + "\" is not " + std::string(what_is_expected(value)));
  return false;
}

}  // namespace containers

// The rows that begin in this PE's part: an input range of std::tuple<T...>, which is walked once. A std::string_view
// is good until the next step.
// Local; a step may block while the disk reads; throws data_file_error of what cannot be read or uncompressed, of a
// file without the columns, and of a row that is wrong, with its file, line and column, unless these are skipped.
template <class... T>
class csv_rows : public containers::rows_of<containers::csv_records, T...> {
  static_assert(sizeof...(T) > 0 && (containers::is_csv_value<T> && ...),
                "columns are texts, numbers, or std::optional ones");

 public:
  using containers::rows_of<containers::csv_records, T...>::rows_of;

  // Where that column of the row stands, for a message: "trips.csv:12:7".
  std::string place(std::size_t column = 0) const { return this->records().place(column); }
};

// The rows of the files that have a name or match a pattern, as lines() has them (lines.hpp); files that gzip or zstd
// has compressed are read, too. `columns` says which ones, as a header would; T is what each is.
// Every PE reads most bytes of its part twice: where a record begins is only known when the quotes before it are.
// Collective; blocks until all PEs have looked at their parts; throws data_file_error, on every PE, of what cannot be
// read.
template <class... T>
task<csv_rows<T...>> csv(std::vector<std::string> patterns, std::string columns, csv_format format) {
  containers::csv_records records =
      co_await containers::read_csv(std::move(patterns), std::move(columns), std::move(format));
  co_return csv_rows<T...>(std::move(records));
}
template <class... T, std::convertible_to<std::string> Pattern>
task<csv_rows<T...>> csv(Pattern pattern, std::string columns, csv_format format) {
  return csv<T...>(std::vector<std::string>(1, std::string(std::move(pattern))), std::move(columns), std::move(format));
}
// A default argument would be an aggregate within the awaited expression, which g++ 12 destroys twice.
template <class... T, class Patterns>
task<csv_rows<T...>> csv(Patterns patterns, std::string columns) {
  csv_format format;
  return csv<T...>(std::move(patterns), std::move(columns), std::move(format));
}

}  // namespace tsubu
