// Reads sparse matrices and graphs from text, entry by entry, in three formats told apart by the first line:
//
//   %%MatrixMarket matrix coordinate pattern|real|integer general|symmetric    rows and columns from 1
//   % sym|asym|bip WEIGHTS    edge lists of KONECT: `u v`, `u v weight` or `u v weight time`; vertices from 1
//   edge lists: lines `u v` or `u v weight`, all of one kind; vertices from 0; comments begin with # or %
//
// What a file says of its size is believed as far as its length allows: a line of a few bytes must not make us allocate
// gigabytes. Entries take 4 bytes at least; of rows, most of which may be empty, there are 4 to a byte at most, or a
// million.
//
// A file named *.mtx must be of the first kind. Places without a value have the value 1.
// Sources: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NIST IR 5935, 1996; Kunegis, Handbook of
// Network Analysis: the KONECT project, 2017, "File formats".
#pragma once

#include <istream>
#include <optional>
#include <string>

#include "apps/graph/sparse_rows.hpp"
#include "apps/text/line_reader.hpp"

namespace graph {

inline constexpr vertex most_rows = 2147483647;

// What a program asks of its file, beside the format.
struct file_rules {
  bool square = false;
  bool positive_weights = false;
  // An undirected graph, of a square matrix: entries come as (larger, smaller), and those on the diagonal not at all.
  bool fold = false;
  // The rows a matrix must have, or vertices an edge list has; else of these one more than the largest that occurs.
  std::optional<vertex> vertices = std::nullopt;
};

class matrix_file {
 public:
  // `name` stands for the file in messages. Throws text::file_error, as next() does.
  matrix_file(std::istream& in, const std::string& name, file_rules rules);

  // An entry; nothing at the end of the file. Of a symmetric file, both triangles.
  std::optional<entry> next();

  // The size of the whole matrix; known once next() has returned nothing.
  vertex rows() const { return rows_; }
  vertex columns() const { return columns_; }

  // Does next() return every entry off the diagonal in both directions, though the file has it once?
  bool symmetric() const { return symmetric_; }

 private:
  void read_header();
  void read_size();
  bool read_konect_header();
  std::optional<entry> next_as_given();
  std::optional<entry> next_of_matrix();
  std::optional<entry> next_of_edges();
  entry edge_on_line();
  vertex vertex_in_edge(std::optional<vertex> vertices);
  std::int64_t most_for_size() const;
  vertex index_in(const char* what, std::int64_t first, std::int64_t last);
  double value();

  std::int64_t bytes_;  // of the file
  text::line_reader in_;
  file_rules rules_;
  bool is_matrix_ = false;
  bool is_konect_ = false;
  bool has_values_ = true;
  text::line_reader::values values_ = text::line_reader::values::real;
  bool has_times_ = false;      // of KONECT's edges
  bool has_two_kinds_ = false;  // of vertices: rows and columns are counted apart
  bool symmetric_ = false;
  vertex rows_ = 0;
  vertex columns_ = 0;
  std::int64_t stored_ = 0;  // entries of the file, as a matrix says; of an edge list, those read
  std::int64_t read_ = 0;
  std::optional<entry> mirror_;  // what a symmetric file implies and next() has not yet returned
};

}  // namespace graph
