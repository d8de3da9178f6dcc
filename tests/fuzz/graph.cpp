// Matrix Market files and edge lists of graphs, as the programs on apps/graph and bfs read them. The first byte says
// what a program asks of the file, and what the file is called; the rest is its text.
#include <sstream>
#include <string>
#include <vector>

#include "apps/graph/matrix_file.hpp"
#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {

static void read(std::istream& in, const std::string& name, unsigned asked) {
  graph::file_rules rules;
  rules.square = (asked & 1) != 0;
  rules.positive_weights = (asked & 2) != 0;
  rules.fold = (asked & 4) != 0;
  if ((asked & 8) != 0) rules.vertices = 5;
  graph::matrix_file file(in, name, rules);
  std::vector<graph::entry> entries;
  while (const auto found = file.next()) entries.push_back(*found);
  for (const graph::entry& e : entries) {
    expect(e.row < file.rows() && e.column < file.columns(), "an entry outside the matrix");
    expect(!rules.positive_weights || e.value > 0, "a weight that is not above 0");
    expect(!rules.fold || e.row > e.column, "an entry that is not folded");
  }
  expect(!rules.square || file.rows() == file.columns(), "a matrix that is not square");
  // A million rows take longer than the rest of a small file: they are laid out for some inputs only.
  if (file.rows() > 10'000 && (asked & 0x60) != 0x60) return;
  const graph::sparse_rows rows = graph::assemble({}, file.rows(), file.columns(), std::move(entries),
                                                  (asked & 16) != 0 ? graph::repeats::add : graph::repeats::keep_least);
  expect(rows.local_rows() == file.rows(), "rows that are not there");
}

void read_input(bytes input) {
  const unsigned asked = input.empty() ? 0 : input[0];
  const std::string name = (asked & 128) != 0 ? "a.mtx" : "a.txt";
  std::istringstream in{std::string(text_of(input.subspan(input.empty() ? 0 : 1)))};
  try {
    read(in, name, asked);
  } catch (const text::file_error& error) {
    check_refusal(error.what(), name + ":");
  }
}

}  // namespace tsubu::fuzz
