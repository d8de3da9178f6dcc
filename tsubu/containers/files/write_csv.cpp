#include "tsubu/containers/files/write_csv.hpp"

#include "tsubu/containers/files/csv_records.hpp"
#include "tsubu/containers/files/error.hpp"

namespace tsubu::containers {

void csv_row_text::add(std::string_view field) {
  if (fields_++ > 0) text_ += delimiter_;
  const bool plain =
      field.find_first_of("\"\r\n") == std::string_view::npos && field.find(delimiter_) == std::string_view::npos;
  if (plain) {
    text_ += field;
    return;
  }
  text_ += '"';
  for (const char c : field) text_.append(c == '"' ? 2 : 1, c);
  text_ += '"';
}

void csv_row_text::end() {
  // An empty line would be no row.
  if (text_.empty()) text_ = "\"\"";
  text_ += '\n';
  to_.put_bytes(text_.data(), text_.size());
  to_.end_element();
}

csv_row_format::csv_row_format(std::string header, std::size_t width, char delimiter)
    : header_(std::move(header)), delimiter_(delimiter) {
  const std::size_t named = csv_names(header_, delimiter, "write_csv()").size();
  if (named != width)
    throw data_file_error("write_csv(): the header \"" + header_ + "\" names " + std::to_string(named) +
                          " columns, and the rows have " + std::to_string(width));
}

void csv_row_format::begin(part_writer& to) const {
  put_first_text(to, header_);
  to.put_bytes("\n", 1);
}

}  // namespace tsubu::containers
