// The records of CSV files, each on one PE, as texts: what csv() (csv.hpp) makes its rows of.
//
// A record is the PE's in whose part of the bytes it begins. Each file has a header of its own, which every PE that has
// a part of the file reads, so columns may stand in another order in another file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/containers/files/csv_states.hpp"
#include "tsubu/containers/files/piece_reader.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// What is not the same in all CSV files.
struct csv_format {
  char delimiter = ',';
  std::string header = {};  // the names of all columns, as a header would say them, of files that have none
  bool skips_bad = false;   // what is wrong with a record is no error: it is left out, and counted
  // How many bytes a record may have, without the line feed behind it: so much memory one takes, and not more.
  std::size_t longest_record = containers::default_longest_record;
};

namespace containers {

// The fields of a record without its line's end, of which some lie in `unescaped`. Where it is wrong, why, and before
// which byte; else nothing.
struct csv_trouble {
  std::string_view why = {};
  std::size_t at = 0;
};
csv_trouble split_csv(std::string_view record, char delimiter, std::vector<std::string_view>& fields,
                      std::string& unescaped);

// The fields of a header. Throws data_file_error, which begins with `whose`, of what is no record.
std::vector<std::string> csv_names(std::string_view header, char delimiter, const std::string& whose);

// Local; next() may block while the disk reads; throws data_file_error of what cannot be read, has not the columns, or
// is wrong.
class csv_records {
 public:
  // The first piece begins in that state, if it is not the begin of its file.
  csv_records(std::vector<file_piece> pieces, csv_state begins_in, std::vector<std::string> columns, csv_format format);

  // False: that was the last one.
  bool next();
  // The field of a chosen column, as `columns` counts them, of the record that is now.
  std::string_view field(std::size_t column) const { return fields_[places_[column]]; }
  // The record is wrong, because of that field: throws or, where bad ones are skipped, counts it.
  void refuse(std::size_t column, const std::string& why);
  // How many have been left out.
  std::size_t skipped() const { return skipped_; }
  // Where that field begins: "trips.csv:12:7".
  std::string place(std::size_t column) const { return place_at(begin_of(field(column))); }

 private:
  bool open_next();
  void read_header(const file_piece& of);
  void choose(const std::string& file, const std::vector<std::string>& names);
  bool split(std::size_t bytes);
  void refuse_at(std::size_t byte, const std::string& why);
  void refuse_longer();
  std::string place_at(std::size_t byte) const;
  std::size_t begin_of(std::string_view field) const;

  piece_reader reader_;
  csv_state begins_in_;
  std::vector<std::string> columns_;
  csv_format format_;
  std::vector<std::size_t> places_;  // by chosen column: which one it is in the file that is read
  std::size_t width_ = 0;            // how many columns that has
  std::string_view record_;          // without its line's end
  std::uint64_t record_begins_ = 0;
  std::size_t taken_ = 0;  // of the record, when the next one is asked for
  std::vector<std::string_view> fields_;
  std::string unescaped_;
  std::size_t skipped_ = 0;
};

// Collective; blocks until all PEs have looked at their parts; throws data_file_error, on every PE, of what cannot be
// read, and of `columns` that is no record.
task<csv_records> read_csv(std::vector<std::string> patterns, std::string columns, csv_format format);

}  // namespace containers
}  // namespace tsubu
