// The matrix or graph a program works on: made at random, or read from a file; and the options that say which.
#pragma once

#include <cstdint>
#include <string>

#include "apps/graph/matrix_file.hpp"
#include "apps/graph/random_rows.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace graph {

// The rows of the calling PE.
cyclic own_share();

struct input {
  vertex rows = 0;          // and columns, of a random matrix
  bool rows_given = false;  // by the user: a file must have as many
  double degree = 0;        // entries a row of a random matrix, on average
  std::uint64_t seed = 1;
  std::string file;  // if not empty, instead of a random matrix

  // --rows (or another name, "--vertices"), --degree, --seed, --file
  void add_options(program::command_line& to, const std::string& rows_option = "--rows");

  // In a line: "random, 1000 rows, degree 10, seed 1"; or the file.
  std::string name() const;
};

struct loaded {
  sparse_rows rows;
  std::string trouble;  // if not empty, one line on what is wrong with the file, the same on every PE
};

// The rows of this PE. PE 0 reads the file and sends each entry to its owner, one message each. `within` is which part
// of a random matrix is filled. `shown` must live until the task has ended. Collective; blocks until all rows are in
// place everywhere.
tsubu::task<loaded> load(input from, part within, file_rules rules, repeats at_one_place, program::progress* shown);

// All rows of it, made or read by the calling PE alone, to compare with. Throws text::file_error. Local.
sparse_rows whole(const input& from, part within, file_rules rules, repeats at_one_place);

}  // namespace graph
