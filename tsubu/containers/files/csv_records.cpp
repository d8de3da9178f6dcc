#include "tsubu/containers/files/csv_records.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tsubu/containers/saving/first_error.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers {
namespace {

std::string_view without_line_end(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

constexpr std::string_view quote_without_end = "a quoted field has no end";

// How many bytes the record has that begins here: up to the file's end if nothing else ends it. npos if it has more
// than it may; then that many are there, and have not been taken.
std::size_t bytes_of_record(piece_reader& reader, const csv_format& format) {
  csv_state state = csv_state::record;
  for (std::size_t searched = 0;;) {
    const std::string_view rest = std::string_view(reader.data(), reader.size()).substr(searched);
    const std::size_t end = csv_record_end(state, rest, format.delimiter);
    if (end != std::string_view::npos)
      return searched + end - 1 > format.longest_record ? std::string_view::npos : searched + end;
    searched = reader.size();
    if (searched > format.longest_record) return std::string_view::npos;
    if (!reader.more()) return searched;
  }
}

// Takes what is left of the record that `state` is in, and keeps none of it.
void skip_record(piece_reader& reader, csv_state state, char delimiter) {
  do {
    const std::size_t end = csv_record_end(state, std::string_view(reader.data(), reader.size()), delimiter);
    if (end != std::string_view::npos) return reader.take(end);
    reader.take(reader.size());
  } while (reader.more());
}

// What this PE's bytes do to the states that they could begin in, as far as the next PE has to know.
csv_map map_of(const std::vector<file_piece>& pieces, char delimiter) {
  csv_map all = csv_identity;
  if (pieces.empty() || pieces.back().packed_by != compression::none || pieces.back().end == pieces.back().size)
    return all;
  const file_piece& last = pieces.back();
  piece_reader reader({last});
  reader.open_next();
  if (last.begin == 0) {
    all.fill(csv_state::record);
    reader.take_byte_order_mark();
  }
  while (!reader.behind_piece()) {
    if (reader.size() == 0 && !reader.more()) break;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(reader.size(), last.end - reader.offset()));
    all = after(all, std::string_view(reader.data(), n), delimiter);
    reader.take(n);
  }
  return all;
}

}  // namespace

csv_trouble split_csv(std::string_view record, char delimiter, std::vector<std::string_view>& fields,
                      std::string& unescaped) {
  fields.clear();
  unescaped.clear();
  unescaped.reserve(record.size());  // so nothing moves in it
  for (std::size_t at = 0;;) {
    if (at == record.size() || record[at] != '"') {
      const std::size_t end = std::min(record.find(delimiter, at), record.size());
      fields.push_back(record.substr(at, end - at));
      at = end;
    } else {
      const std::size_t kept = unescaped.size(), begin = ++at;
      std::size_t end = record.find('"', at);
      for (; end != std::string_view::npos && end + 1 < record.size() && record[end + 1] == '"';
           end = record.find('"', at)) {
        unescaped.append(record, at, end + 1 - at);
        at = end + 2;
      }
      if (end == std::string_view::npos) return {quote_without_end, begin - 1};
      if (at == begin) {
        fields.push_back(record.substr(begin, end - begin));
      } else {
        unescaped.append(record, at, end - at);
        fields.push_back(std::string_view(unescaped).substr(kept));
      }
      at = end + 1;
      if (at < record.size() && record[at] != delimiter) return {"text follows a quoted field", at};
    }
    if (at == record.size()) return {};
    ++at;
  }
}

std::vector<std::string> csv_names(std::string_view header, char delimiter, const std::string& whose) {
  std::vector<std::string_view> fields;
  std::string unescaped;
  const csv_trouble wrong = split_csv(without_line_end(header), delimiter, fields, unescaped);
  if (!wrong.why.empty()) throw data_file_error(whose + ": of the names of columns, " + std::string(wrong.why));
  return {fields.begin(), fields.end()};
}

csv_records::csv_records(std::vector<file_piece> pieces, csv_state begins_in, std::vector<std::string> columns,
                         csv_format format)
    : reader_(std::move(pieces)), begins_in_(begins_in), columns_(std::move(columns)), format_(std::move(format)) {}

bool csv_records::open_next() {
  const file_piece* const next = reader_.next_piece();
  if (next != nullptr) read_header(*next);
  if (!reader_.open_next()) return false;
  if (reader_.piece().begin == 0) {
    reader_.take_byte_order_mark();
    if (format_.header.empty()) skip_record(reader_, csv_state::record, format_.delimiter);
  } else if (begins_in_ != csv_state::record) {
    // What has begun before is another PE's.
    skip_record(reader_, begins_in_, format_.delimiter);
  }
  return true;
}

void csv_records::read_header(const file_piece& of) {
  if (!format_.header.empty()) return choose(of.name, csv_names(format_.header, format_.delimiter, "csv()"));
  piece_reader whole({{of.name, of.size, 0, of.size, of.packed_by}});
  whole.open_next();
  whole.take_byte_order_mark();
  const std::size_t bytes = bytes_of_record(whole, format_);
  if (bytes == std::string_view::npos)
    throw data_file_error(of.name + ":1:1: the header is longer than " + std::to_string(format_.longest_record) +
                          " bytes");
  choose(of.name, csv_names(std::string_view(whole.data(), bytes), format_.delimiter, of.name));
}

void csv_records::choose(const std::string& file, const std::vector<std::string>& names) {
  width_ = names.size();
  places_.clear();
  for (const std::string& column : columns_) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end()) {
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
      throw data_file_error(file + ": has no column \"" + column + "\"; it has " + all);
    }
    places_.push_back(static_cast<std::size_t>(found - names.begin()));
  }
}

bool csv_records::next() {
  for (;;) {
    reader_.take(std::exchange(taken_, 0));
    while (reader_.behind_piece()) {
      if (!open_next()) return false;
    }
    const std::size_t bytes = bytes_of_record(reader_, format_);
    if (bytes == std::string_view::npos) {
      refuse_longer();
    } else if (bytes > 0 && split(bytes)) {
      return true;
    }
  }
}

// The record of so many bytes. False if it is an empty line, or is wrong and skipped.
bool csv_records::split(std::size_t bytes) {
  record_begins_ = reader_.offset();
  record_ = without_line_end(std::string_view(reader_.data(), bytes));
  taken_ = bytes;
  if (record_.empty()) return false;
  const csv_trouble wrong = split_csv(record_, format_.delimiter, fields_, unescaped_);
  if (!wrong.why.empty()) {
    refuse_at(wrong.at, std::string(wrong.why));
    return false;
  }
  if (fields_.size() == width_) return true;
  refuse_at(0,
            "expected " + std::to_string(width_) + " fields, as the header has, not " + std::to_string(fields_.size()));
  return false;
}

void csv_records::refuse(std::size_t column, const std::string& why) {
  refuse_at(begin_of(field(column)), "column \"" + columns_[column] + "\": " + why);
}

void csv_records::refuse_at(std::size_t byte, const std::string& why) {
  if (!format_.skips_bad) throw data_file_error(place_at(byte) + ": " + why);
  ++skipped_;
}

// The record that begins here. Where a quote has no end in what a record may have, the quote is what is wrong.
void csv_records::refuse_longer() {
  record_begins_ = reader_.offset();
  record_ = std::string_view(reader_.data(), format_.longest_record);
  const std::string bytes = std::to_string(format_.longest_record) + " bytes";
  const csv_trouble wrong =
      format_.skips_bad ? csv_trouble() : split_csv(record_, format_.delimiter, fields_, unescaped_);
  if (wrong.why == quote_without_end) {
    refuse_at(wrong.at, std::string(wrong.why) + " in the " + bytes + " that a row may have");
  } else {
    refuse_at(0, "the row is longer than " + bytes);
  }
  skip_record(reader_, csv_state::record, format_.delimiter);
}

// A field that is not in the record itself is told by the record.
std::size_t csv_records::begin_of(std::string_view field) const {
  const bool in_record = field.data() >= record_.data() && field.data() <= record_.data() + record_.size();
  return in_record ? static_cast<std::size_t>(field.data() - record_.data()) : 0;
}

std::string csv_records::place_at(std::size_t byte) const {
  const std::size_t line = record_.substr(0, byte).rfind('\n');
  return reader_.place(record_begins_ + byte, line == std::string_view::npos ? byte + 1 : byte - line);
}

task<csv_records> read_csv(std::vector<std::string> patterns, std::string columns, csv_format format) {
  std::vector<std::string> names = csv_names(columns, format.delimiter, "csv()");
  const text_reader by{.name = "csv()", .reads = "csv"};
  std::vector<file_piece> pieces = co_await pieces_of_this_pe(std::move(patterns), by);
  csv_map mine = csv_identity;
  std::string error = what_goes_wrong([&] { mine = map_of(pieces, format.delimiter); });
  error = co_await all_reduce(std::move(error), first_error());
  if (!error.empty()) throw data_file_error(error);
  const std::vector<csv_map> maps = co_await all_gather(mine);
  csv_state begins_in = csv_state::record;
  for (pe_id pe = 0; pe < this_pe(); ++pe)
    begins_in = maps[static_cast<std::size_t>(pe)][static_cast<std::size_t>(begins_in)];
  co_return csv_records(std::move(pieces), begins_in, std::move(names), std::move(format));
}

}  // namespace tsubu::containers
