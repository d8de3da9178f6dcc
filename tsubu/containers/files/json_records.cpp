#include "tsubu/containers/files/json_records.hpp"

#include <simdjson.h>

#include <algorithm>
#include <new>
#include <utility>

#include "tsubu/containers/files/csv_records.hpp"
#include "tsubu/containers/files/json_places.hpp"

namespace tsubu::containers {
namespace {

namespace dom = simdjson::dom;

static_assert(piece_reader::readable_behind >= simdjson::SIMDJSON_PADDING);

// simdjson's versions tell the same mistake by different codes, and some mistakes of one kind by several.
std::string_view mistake_of(simdjson::error_code code) {
  using namespace simdjson;
  // Newer versions have a code between these two, for whole numbers that are too large.
  if (code >= NUMBER_ERROR && code < UTF8_ERROR)
    return "a number is not written as one of JSON's, or fits neither into 64 bits nor into a double";
  switch (code) {
    case MEMALLOC:
      throw std::bad_alloc();
    case TAPE_ERROR:
    case INCOMPLETE_ARRAY_OR_OBJECT:
      return "a comma, a colon, a quote, a bracket or a value is missing, or there is more than one value";
    case DEPTH_ERROR:
      return "it is nested deeper than 1024";
    case STRING_ERROR:
      return "an escape in a text is none of JSON's, or a half of a pair";
    case T_ATOM_ERROR:
    case F_ATOM_ERROR:
    case N_ATOM_ERROR:
      return "a word is none of true, false and null";
    case UTF8_ERROR:
      return "its bytes are no UTF-8";
    case UNESCAPED_CHARS:
      return "a text has a control character that is not escaped";
    case UNCLOSED_STRING:
      return "a text has no closing quote";
    default:
      return error_message(code);
  }
}

json_value value_of(dom::element from) {
  switch (from.type()) {
    case dom::element_type::NULL_VALUE:
      return json_null();
    case dom::element_type::BOOL:
      return from.get<bool>().value_unsafe();
    case dom::element_type::INT64:
      return from.get<std::int64_t>().value_unsafe();
    case dom::element_type::UINT64:
      return from.get<std::uint64_t>().value_unsafe();
    case dom::element_type::DOUBLE:
      return from.get<double>().value_unsafe();
    case dom::element_type::STRING:
      return from.get<std::string_view>().value_unsafe();
    default:
      return json_compound();
  }
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

// Reads lines, and has the values that are asked for of the last one.
class json_records::parser {
 public:
  explicit parser(const std::vector<std::string>& columns) : places_(json_places(columns)), elements_(columns.size()) {
    std::size_t places = 1;
    count(places_, places);
    met_in_.resize(places);
  }

  // Why the line is wrong; empty: it is not.
  std::string read(std::string_view line, std::vector<json_value>& values) {
    dom::element whole;
    constexpr bool copies_it = false;  // there are enough bytes behind it that may be read
    const auto error = parser_.parse(line.data(), line.size(), copies_it).get(whole);
    if (error != simdjson::SUCCESS) return "is no JSON: " + std::string(mistake_of(error));
    ++line_;
    std::fill(values.begin(), values.end(), json_missing());
    return walk(places_, whole, values);
  }

  // The value as JSON, or the begin of it.
  std::string shown(std::size_t column) const {
    constexpr std::size_t most = 60;
    std::string text = simdjson::to_string(elements_[column]);
    if (text.size() <= most) return text;
    std::size_t end = most;
    const auto continues = [&] { return (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U; };
    while (continues()) --end;  // a letter of several bytes stays whole
    return text.substr(0, end) + "...";
  }

 private:
  static void count(const json_place& place, std::size_t& places) {
    places = std::max(places, place.number + 1);
    for (const json_place& inner : place.inner) count(inner, places);
  }

  std::string walk(const json_place& place, dom::element value, std::vector<json_value>& values) {
    for (const std::size_t column : place.columns) {
      elements_[column] = value;
      values[column] = value_of(value);
    }
    if (place.inner.empty()) return {};
    if (value.is_object()) return walk_object(place, value.get<dom::object>().value_unsafe(), values);
    if (value.is_array()) return walk_array(place, value.get<dom::array>().value_unsafe(), values);
    return {};
  }
  std::string walk_object(const json_place& place, dom::object object, std::vector<json_value>& values) {
    for (const dom::key_value_pair field : object) {
      for (const json_place& inner : place.inner) {
        if (field.key != inner.key) continue;
        // Readers do not agree on which one counts.
        if (std::exchange(met_in_[inner.number], line_) == line_) return "has the key \"" + inner.key + "\" twice";
        std::string why = walk(inner, field.value, values);
        if (!why.empty()) return why;
        break;
      }
    }
    return {};
  }
  std::string walk_array(const json_place& place, dom::array array, std::vector<json_value>& values) {
    for (const json_place& inner : place.inner) {
      dom::element value;
      if (inner.index == json_place::no_index || array.at(inner.index).get(value) != simdjson::SUCCESS) continue;
      std::string why = walk(inner, value, values);
      if (!why.empty()) return why;
    }
    return {};
  }

  const json_place places_;
  dom::parser parser_;
  std::vector<dom::element> elements_;  // by column; good where there is a value
  std::uint64_t line_ = 0;
  std::vector<std::uint64_t> met_in_;  // by a place's number: the line in which it was met last
};

json_records::json_records(std::vector<file_piece> pieces, std::vector<std::string> columns, ndjson_format format)
    : lines_(std::move(pieces), format.longest_record),
      columns_(std::move(columns)),
      format_(format),
      values_(columns_.size()),
      parser_(std::make_unique<parser>(columns_)) {}
json_records::json_records(json_records&&) noexcept = default;
json_records& json_records::operator=(json_records&&) noexcept = default;
json_records::~json_records() = default;

bool json_records::next() {
  for (;;) {
    switch (lines_.next()) {
      case line_reader::found::end:
        return false;
      case line_reader::found::line:
        if (read(lines_.line())) return true;
        break;
      case line_reader::found::longer_line:
        refuse_line("the line is longer than " + std::to_string(lines_.longest()) + " bytes");
        lines_.skip_line();
        break;
    }
  }
}

// False if it is blank, or is wrong and skipped.
bool json_records::read(std::string_view line) {
  if (is_blank(line)) return false;
  // Some versions of simdjson leave it out, and others refuse it.
  std::string why = line.starts_with(byte_order_mark) ? "has a byte order mark, which only a file may begin with"
                                                      : parser_->read(line, values_);
  if (why.empty()) return true;
  refuse_line("the line " + why);
  return false;
}

void json_records::refuse(std::size_t column, std::string_view expected) {
  if (format_.skips_bad) return refuse_line({});
  const std::string which = "column \"" + columns_[column] + "\"";
  if (std::holds_alternative<json_missing>(values_[column])) return refuse_line(which + " is missing");
  refuse_line(which + ": " + parser_->shown(column) + " is not " + std::string(expected));
}

void json_records::refuse_line(const std::string& why) {
  if (!format_.skips_bad) throw data_file_error(place() + ": " + why);
  ++skipped_;
}

task<json_records> read_ndjson(std::vector<std::string> patterns, std::string columns, std::size_t count,
                               ndjson_format format) {
  std::vector<std::string> names = csv_names(columns, ',', "ndjson()");
  if (names.size() != count)
    throw data_file_error("ndjson(): \"" + columns + "\" names " + std::to_string(names.size()) +
                          " columns, and the rows have " + std::to_string(count));
  static_cast<void>(json_places(names));  // of pointers that are none every PE tells before it waits for others
  const text_reader by{.name = "ndjson()", .reads = "lines"};
  std::vector<file_piece> pieces = co_await pieces_of_this_pe(std::move(patterns), by);
  co_return json_records(std::move(pieces), std::move(names), format);
}

}  // namespace tsubu::containers
