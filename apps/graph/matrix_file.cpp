#include "apps/graph/matrix_file.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace graph {
namespace {

constexpr std::int64_t bytes_of_entry = 4;  // "1 1\n", of which the last may lack the end

}  // namespace

matrix_file::matrix_file(std::istream& in, const std::string& name, file_rules rules)
    : bytes_(text::size_of(in)), in_(in, name), rules_(rules) {
  in_.next_line();
  is_matrix_ = name.ends_with(".mtx") || in_.lower_word() == "%%matrixmarket";
  in_.put_back();
  if (!is_matrix_) is_konect_ = read_konect_header();
  if (!is_matrix_) return;
  read_header();
  read_size();
}

void matrix_file::read_header() {
  const std::string form = "'%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric'";
  in_.next_line();
  in_.expect({"%%matrixmarket"}, form);
  in_.expect({"matrix"}, "the object 'matrix'");
  in_.expect({"coordinate"}, "the format 'coordinate'");
  const std::string kind = in_.expect({"pattern", "real", "integer"}, "values 'pattern', 'real' or 'integer'");
  has_values_ = kind != "pattern";
  if (kind == "integer") values_ = text::line_reader::values::integer;
  symmetric_ = in_.expect({"general", "symmetric"}, "the symmetry 'general' or 'symmetric'") == "symmetric";
}

void matrix_file::read_size() {
  const std::string form = "a size line 'rows columns entries'";
  in_.next_data_line(form);
  const auto rows = in_.parse<std::int64_t>(form);
  const auto columns = in_.parse<std::int64_t>(form);
  stored_ = in_.parse<std::int64_t>(form);
  in_.end_of_line(form);
  const auto check = [&](std::int64_t n, const char* what) {
    if (n < 1 || n > most_rows) in_.fail("1 to " + std::to_string(most_rows) + what, std::to_string(n));
    return static_cast<vertex>(n);
  };
  rows_ = check(rows, " rows");
  columns_ = check(columns, " columns");
  if (!rules_.vertices && std::max(rows, columns) > most_for_size())
    in_.fail("at most " + std::to_string(most_for_size()) + " rows and columns in a file of " + std::to_string(bytes_) +
                 " bytes",
             std::to_string(std::max(rows, columns)));
  if (rules_.vertices && rows != *rules_.vertices)
    in_.fail(std::to_string(*rules_.vertices) + " rows", std::to_string(rows));
  if ((rules_.square || rules_.fold || symmetric_) && rows != columns)
    in_.fail("a square matrix", std::to_string(rows) + " rows and " + std::to_string(columns) + " columns");
  // There may be more than places, as entries may be repeated.
  if (stored_ < 0) in_.fail("0 entries or more", std::to_string(stored_));
  if (stored_ > (bytes_ + 1) / bytes_of_entry)
    in_.fail("at most " + std::to_string((bytes_ + 1) / bytes_of_entry) + " entries in a file of " +
                 std::to_string(bytes_) + " bytes",
             std::to_string(stored_));
}

// A file that begins in another way is an edge list whose first line is not touched.
bool matrix_file::read_konect_header() {
  if (!in_.next_line()) return false;
  const bool begins = in_.word() == "%";
  const std::string vertices = in_.lower_word();
  if (!begins || (vertices != "sym" && vertices != "asym" && vertices != "bip")) {
    in_.put_back();
    return false;
  }
  const std::string weights = in_.expect({"unweighted", "positive", "posweighted", "signed", "multisigned", "weighted",
                                          "multiweighted", "multiposweighted", "dynamic"},
                                         "KONECT's name of a kind of weights");
  if (weights == "dynamic") in_.fail("a network whose edges stay", "'dynamic', where edges are taken away");
  symmetric_ = vertices == "sym";
  has_two_kinds_ = vertices == "bip";
  if (has_two_kinds_ && (rules_.square || rules_.fold))
    in_.fail("a network of one kind of vertices, 'sym' or 'asym'", "'bip'");
  return true;
}

std::optional<entry> matrix_file::next() {
  if (!rules_.fold) return next_as_given();
  auto found = next_as_given();
  while (found && found->row == found->column) found = next_as_given();
  if (found && found->row < found->column) std::swap(found->row, found->column);
  return found;
}

std::optional<entry> matrix_file::next_as_given() {
  if (mirror_) return std::exchange(mirror_, std::nullopt);
  return is_matrix_ ? next_of_matrix() : next_of_edges();
}

std::optional<entry> matrix_file::next_of_matrix() {
  if (read_ == stored_) {
    if (in_.next_data_line_or_end("%"))
      in_.fail("no more than " + std::to_string(stored_) + " entries", text::in_quotes(in_.line()));
    return std::nullopt;
  }
  ++read_;
  if (!in_.next_data_line_or_end("%"))
    in_.fail("entry " + std::to_string(read_) + " of " + std::to_string(stored_), "the end of the file");
  const vertex row = index_in("a row", 1, rows_);
  const vertex column = index_in("a column", 1, columns_);
  const entry found{row, column, has_values_ ? value() : 1};
  in_.end_of_line(has_values_ ? "'row column value'" : "'row column'");
  if (symmetric_ && column > row)
    in_.fail("the lower triangle only (symmetric)",
             std::to_string(row + 1) + " " + std::to_string(column + 1) + " above the diagonal");
  if (symmetric_ && row != column) mirror_ = entry{column, row, found.value};
  return found;
}

std::optional<entry> matrix_file::next_of_edges() {
  if (!in_.next_data_line_or_end("#%")) {
    if (read_ == 0) in_.fail("an edge 'u v' or 'u v weight'", "the end of the file");
    if (!has_two_kinds_) rows_ = columns_ = std::max(rows_, columns_);
    if (rules_.vertices) rows_ = *rules_.vertices;
    if (rules_.vertices && !has_two_kinds_) columns_ = rows_;
    return std::nullopt;
  }
  const entry found = edge_on_line();
  rows_ = std::max(rows_, found.row + 1);
  columns_ = std::max(columns_, found.column + 1);
  if (symmetric_ && found.row != found.column) mirror_ = entry{found.column, found.row, found.value};
  return found;
}

// The first edge tells whether edges have weights, and times, so that a line cut short is noticed.
entry matrix_file::edge_on_line() {
  const vertex from = vertex_in_edge(rules_.vertices);
  const vertex to = vertex_in_edge(has_two_kinds_ ? std::nullopt : rules_.vertices);
  if (read_++ == 0) has_values_ = in_.has_word();
  const entry found{from, to, has_values_ ? value() : 1};
  if (read_ == 1) has_times_ = is_konect_ && in_.has_word();
  if (has_times_) in_.value(text::line_reader::values::real);
  if (has_times_) {
    in_.end_of_line("'u v weight time'");
  } else {
    in_.end_of_line(has_values_ ? "'u v weight'" : "'u v', as in the first edge");
  }
  return found;
}

// vertices: how many there are, where the program knows.
vertex matrix_file::vertex_in_edge(std::optional<vertex> vertices) {
  const std::int64_t first = is_konect_ ? 1 : 0;
  const vertex found = index_in("a vertex", first, std::int64_t{vertices.value_or(most_rows)} - 1 + first);
  if (!vertices && found >= most_for_size())
    in_.fail("a vertex below " + std::to_string(most_for_size() + first) + " in a file of " + std::to_string(bytes_) +
                 " bytes",
             std::string(in_.last_word()));
  return found;
}

// Rows and vertices that a file of that size may have.
std::int64_t matrix_file::most_for_size() const { return std::min<std::int64_t>(most_rows, 1'000'000 + 4 * bytes_); }

vertex matrix_file::index_in(const char* what, std::int64_t first, std::int64_t last) {
  const auto found = in_.parse<std::int64_t>(what);
  if (found < first || found > last)
    in_.fail(what + (" from " + std::to_string(first) + " to " + std::to_string(last)), std::to_string(found));
  return static_cast<vertex>(found - first);
}

double matrix_file::value() {
  const double found = in_.value(values_);
  if (rules_.positive_weights && found <= 0) in_.fail("a weight above 0", std::string(in_.last_word()));
  return found;
}

}  // namespace graph
