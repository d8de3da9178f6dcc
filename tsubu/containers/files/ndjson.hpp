// The rows of NDJSON files, a value of JSON on each line, with the values of it that are asked for.
//
//   auto events = co_await ndjson<std::string_view, double>("events/*.ndjson", "user,/cart/price");  // by every PE
//   for (const auto& [user, price] : events) co_await sums.past().reduce(std::string(user), price, reduce::plus);
//
// Files are cut among PEs as those of lines() (lines.hpp) are. Blank lines are no rows; a byte order mark is left out.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tsubu/containers/files/json_records.hpp"
#include "tsubu/containers/files/rows.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace containers {

// What a value can be: a text, a number, true or false, or one of these that may be missing or null.
template <class T>
inline constexpr bool is_letter = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
                                  std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
template <class T>
concept json_whole = std::integral<T> && !std::is_same_v<T, bool> && !is_letter<T>;
template <class T>
inline constexpr bool is_json_value = json_whole<T> || std::floating_point<T> || std::is_same_v<T, bool> ||
                                      std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;
template <class T>
inline constexpr bool is_json_value<std::optional<T>> = is_json_value<T>;

// Whether it is one of that type, which is told by what_is_expected_of_json.
inline bool read_json(const json_value& from, std::string_view& value) {
  const auto* const text = std::get_if<std::string_view>(&from);
  if (text != nullptr) value = *text;
  return text != nullptr;
}
inline bool read_json(const json_value& from, std::string& value) {
  const auto* const text = std::get_if<std::string_view>(&from);
  if (text != nullptr) value.assign(*text);
  return text != nullptr;
}
inline bool read_json(const json_value& from, bool& value) {
  const auto* const truth = std::get_if<bool>(&from);
  if (truth != nullptr) value = *truth;
  return truth != nullptr;
}
template <json_whole T>
bool read_json(const json_value& from, T& value) {
  const auto take = [&value](const auto* whole) {
    if (whole == nullptr || !std::in_range<T>(*whole)) return false;
    value = static_cast<T>(*whole);
    return true;
  };
  return take(std::get_if<std::int64_t>(&from)) || take(std::get_if<std::uint64_t>(&from));
}
template <std::floating_point T>
bool read_json(const json_value& from, T& value) {
  const auto take = [&value](const auto* real) {
    if (real == nullptr) return false;
    const auto wide = static_cast<long double>(*real);
    if (wide > std::numeric_limits<T>::max() || wide < std::numeric_limits<T>::lowest()) return false;
    value = static_cast<T>(*real);
    return true;
  };
  return take(std::get_if<double>(&from)) || take(std::get_if<std::int64_t>(&from)) ||
         take(std::get_if<std::uint64_t>(&from));
}
template <class T>
bool read_json(const json_value& from, std::optional<T>& value) {
  value.reset();
  if (std::holds_alternative<json_missing>(from) || std::holds_alternative<json_null>(from)) return true;
  return read_json(from, value.emplace());
}

template <class T>
inline constexpr std::string_view what_is_expected_of_json =
    json_whole<T> ? "a whole number of its type" : (std::floating_point<T> ? "a number of its type" : "a text");
template <>
inline constexpr std::string_view what_is_expected_of_json<bool> = "true or false";
template <class T>
inline constexpr std::string_view what_is_expected_of_json<std::optional<T>> = what_is_expected_of_json<T>;

template <class T>
bool read_column(json_records& of, std::size_t column, T& value) {
  if (read_json(of.value(column), value)) return true;
  of.refuse(column, what_is_expected_of_json<T>);
  return false;
}

}  // namespace containers

// The rows of the lines that begin in this PE's part: an input range of std::tuple<T...>, which is walked once. A
// std::string_view is good until the next step.
// Local; a step may block while the disk reads; throws data_file_error of what cannot be read or uncompressed, and of a
// line that is no JSON or has not what is asked for, with its file and line, unless these are skipped.
template <class... T>
class ndjson_rows : public containers::rows_of<containers::json_records, T...> {
  static_assert(sizeof...(T) > 0 && (containers::is_json_value<T> && ...),
                "columns are texts, numbers, bool, or std::optional ones");

 public:
  using containers::rows_of<containers::json_records, T...>::rows_of;

  // Where the row's line is, for a message: "events.ndjson:12:1".
  std::string place() const { return this->records().place(); }
};

// The rows of the files that have a name or match a pattern, as lines() has them (lines.hpp). `columns` names the
// values of each line that are asked for, as a record of CSV would; T is what each is. A name is a key of the line's
// object; one that begins with '/' is a JSON pointer (RFC 6901), which leads into inner objects and arrays; an empty
// one is the whole value. What is not optional may be neither missing nor null, and no key on the way to a value may
// come twice.
// Collective; blocks until PE 0 has looked for the files; throws data_file_error, on every PE, as lines(), and of
// columns that are not as many as T or are no pointers.
template <class... T>
task<ndjson_rows<T...>> ndjson(std::vector<std::string> patterns, std::string columns, ndjson_format format) {
  containers::json_records records =
      co_await containers::read_ndjson(std::move(patterns), std::move(columns), sizeof...(T), format);
  co_return ndjson_rows<T...>(std::move(records));
}
template <class... T, std::convertible_to<std::string> Pattern>
task<ndjson_rows<T...>> ndjson(Pattern pattern, std::string columns, ndjson_format format) {
  return ndjson<T...>(std::vector<std::string>(1, std::string(std::move(pattern))), std::move(columns), format);
}
template <class... T, class Patterns>
task<ndjson_rows<T...>> ndjson(Patterns patterns, std::string columns) {
  return ndjson<T...>(std::move(patterns), std::move(columns), ndjson_format());
}

}  // namespace tsubu
