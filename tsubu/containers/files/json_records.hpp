// The values that are asked for of each line of JSON, each line on one PE: what ndjson() (ndjson.hpp) makes its rows
// of.
//
// simdjson reads a line, where it lies; nothing of it is seen here, so programs do not compile it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tsubu/containers/files/line_reader.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// What programs say of NDJSON files.
struct ndjson_format {
  bool skips_bad = false;  // what is wrong with a line is no error: it is left out, and counted
  // How many bytes a line may have before its line feed. While it is read, it takes up to sixteen times as many.
  std::size_t longest_record = containers::default_longest_record;
};

namespace containers {

struct json_missing {};
struct json_null {};
struct json_compound {};  // an object or an array

// A value where a line was asked for one. Whole numbers that fit are std::int64_t, larger ones std::uint64_t. A text is
// good until the next line.
using json_value =
    std::variant<json_missing, json_null, json_compound, bool, std::int64_t, std::uint64_t, double, std::string_view>;

// Local; next() may block while the disk reads; throws data_file_error of what cannot be read or is wrong.
class json_records {
 public:
  json_records(std::vector<file_piece> pieces, std::vector<std::string> columns, ndjson_format format);
  json_records(json_records&&) noexcept;
  json_records& operator=(json_records&&) noexcept;
  ~json_records();

  // False: that was the last one.
  bool next();
  // That of a column of the line that is now.
  const json_value& value(std::size_t column) const { return values_[column]; }
  // The line is wrong, because that value is not what is expected: throws or, where bad ones are skipped, counts it.
  void refuse(std::size_t column, std::string_view expected);
  // How many have been left out.
  std::size_t skipped() const { return skipped_; }
  // Where the line stands: "events.ndjson:12:1".
  std::string place() const { return lines_.place(1); }

 private:
  class parser;

  bool read(std::string_view line);
  void refuse_line(const std::string& why);

  line_reader lines_;
  std::vector<std::string> columns_;
  ndjson_format format_;
  std::vector<json_value> values_;
  std::size_t skipped_ = 0;
  std::unique_ptr<parser> parser_;
};

// `columns` names `count` of them, as a record of CSV.
// Collective; blocks until PE 0 has looked for the files; throws data_file_error, on every PE, as lines(), and of
// columns that are not as many or are no pointers.
task<json_records> read_ndjson(std::vector<std::string> patterns, std::string columns, std::size_t count,
                               ndjson_format format);

}  // namespace containers
}  // namespace tsubu
