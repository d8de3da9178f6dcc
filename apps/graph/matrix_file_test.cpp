// Promise: good files of both formats give their entries; each kind of bad file is refused with one line that names
// file and line, what was expected and what came. Method: one small file of each kind, and the exact message.
#include "apps/graph/matrix_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace {

using namespace graph;

struct contents {
  vertex rows;
  vertex columns;
  std::vector<entry> entries;
};

contents read(const std::string& text, const std::string& name = "g.txt", file_rules rules = {}) {
  std::istringstream in(text);
  matrix_file file(in, name, rules);
  contents found{};
  while (const auto next = file.next()) found.entries.push_back(*next);
  found.rows = file.rows();
  found.columns = file.columns();
  return found;
}

std::string error_of(const std::string& text, const std::string& name = "g.txt", file_rules rules = {}) {
  try {
    read(text, name, rules);
  } catch (const text::file_error& error) {
    return error.what();
  }
  return "no error";
}

const std::string header = "%%MatrixMarket matrix coordinate real general\n";

TEST(matrix_file, edges_without_weights) {
  const contents found = read("# a graph\n% of three vertices\n\n0 2\r\n2\t1\n  1 0");
  EXPECT_EQ(found.rows, 3U);
  EXPECT_EQ(found.columns, 3U);
  EXPECT_EQ(found.entries, (std::vector<entry>{{0, 2, 1}, {2, 1, 1}, {1, 0, 1}}));
}

TEST(matrix_file, edges_with_weights_from_the_first_line_on) {
  const contents found = read("0 1 0.5\n1 5 2e1\n", "g.txt", {.vertices = 9});
  EXPECT_EQ(found.rows, 9U);
  EXPECT_EQ(found.entries, (std::vector<entry>{{0, 1, 0.5}, {1, 5, 20}}));
}

TEST(matrix_file, matrices) {
  const contents general = read(header + "% c\n2 3 2\n1 3 4.5\n2 1 -1\n");
  EXPECT_EQ(general.rows, 2U);
  EXPECT_EQ(general.columns, 3U);
  EXPECT_EQ(general.entries, (std::vector<entry>{{0, 2, 4.5}, {1, 0, -1}}));
  const contents pattern = read("%%matrixmarket MATRIX coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n");
  std::istringstream text("%%MatrixMarket matrix coordinate pattern symmetric\n1 1 0\n");
  EXPECT_TRUE(matrix_file(text, "g.txt", {}).symmetric());
  EXPECT_EQ(pattern.entries, (std::vector<entry>{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}));
}

TEST(matrix_file, repeated_entries_may_be_more_than_places) {
  EXPECT_EQ(read(header + "1 1 3\n1 1 1\n1 1 2\n1 1 3\n").entries.size(), 3U);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n1 1 2\n1 1\n1 1\n").entries.size(), 2U);
}

TEST(matrix_file, comments_may_be_indented) {
  EXPECT_EQ(read(header + " % c\n1 1 1\n\t% d\n1 1 5\n  % e\n").entries, (std::vector<entry>{{0, 0, 5}}));
  EXPECT_EQ(read(" # c\n0 1\n").entries, (std::vector<entry>{{0, 1, 1}}));
}

TEST(matrix_file, values_are_the_nearest_doubles) {
  EXPECT_EQ(read("0 1 1e-400\n1 0 -1e-400\n1 1 5e-324\n").entries,
            (std::vector<entry>{{0, 1, 0}, {1, 0, 0}, {1, 1, 5e-324}}));
  EXPECT_EQ(error_of("0 1 1e400\n"), "g.txt:1: expected a finite value, got 1e400");
  EXPECT_EQ(error_of("0 1 1e-400\n", "g.txt", {.positive_weights = true}),
            "g.txt:1: expected a weight above 0, got 1e-400");
}

TEST(matrix_file, integers_are_whole) {
  const std::string integers = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n";
  EXPECT_EQ(read(integers + "1 1 -9007199254740992\n").entries, (std::vector<entry>{{0, 0, -9007199254740992.0}}));
  EXPECT_EQ(error_of(integers + "1 1 1.5\n"), "g.txt:3: expected an integer, as the header says, got '1.5'");
  EXPECT_EQ(error_of(integers + "1 1 9007199254740993\n"),
            "g.txt:3: expected an integer from -2^53 to 2^53, got 9007199254740993");
  EXPECT_EQ(error_of(integers + "1 1\n"), "g.txt:3: expected an integer, as the header says, got the end of the line");
}

// The handbook's form: a line of the kind, perhaps one of the size, vertices from 1, and times that say nothing here.
TEST(matrix_file, edges_of_konect) {
  const contents directed = read("% asym positive\n% 3 4 4\n1 2 5 1082040961\n2\t4\t1\t1082155839\n");
  EXPECT_EQ(directed.rows, 4U);
  EXPECT_EQ(directed.entries, (std::vector<entry>{{0, 1, 5}, {1, 3, 1}}));
  const contents undirected = read("% sym unweighted\n1 2\n3 3\n2 3\n");
  EXPECT_EQ(undirected.rows, 3U);
  EXPECT_EQ(undirected.entries, (std::vector<entry>{{0, 1, 1}, {1, 0, 1}, {2, 2, 1}, {1, 2, 1}, {2, 1, 1}}));
  const contents two_kinds = read("% bip unweighted\n1 1\n2 5\n", "g.txt", {.vertices = 2});
  EXPECT_EQ(two_kinds.rows, 2U);
  EXPECT_EQ(two_kinds.columns, 5U);
  EXPECT_EQ(read("% symmetric it is not\n0 1\n").entries, (std::vector<entry>{{0, 1, 1}}));  // any comment
}

TEST(matrix_file, bad_edges_of_konect_are_refused) {
  EXPECT_EQ(error_of("% asym unweighted\n0 1\n"), "g.txt:2: expected a vertex from 1 to 2147483647, got 0");
  EXPECT_EQ(error_of("% asym unweighted\n2147483647 1\n"),
            "g.txt:2: expected a vertex below 1000125 in a file of 31 bytes, got 2147483647");
  EXPECT_EQ(error_of("% asym heavy\n1 2\n"), "g.txt:1: expected KONECT's name of a kind of weights, got 'heavy'");
  EXPECT_EQ(error_of("% asym dynamic\n1 2 1 5\n"),
            "g.txt:1: expected a network whose edges stay, got 'dynamic', where edges are taken away");
  EXPECT_EQ(error_of("% bip unweighted\n1 2\n", "g.txt", {.square = true}),
            "g.txt:1: expected a network of one kind of vertices, 'sym' or 'asym', got 'bip'");
  EXPECT_EQ(error_of("% sym weighted\n1 2 1 5\n1 3 1\n"), "g.txt:3: expected a value, got the end of the line");
  EXPECT_EQ(error_of("% sym weighted\n1 2 1 5 6\n"), "g.txt:2: expected 'u v weight time', got '6' after it");
  EXPECT_EQ(error_of("1 2 1 5\n"), "g.txt:1: expected 'u v weight', got '5' after it");
}

TEST(matrix_file, undirected_graphs) {
  const contents found = read("0 2\n3 3\n2 1\n1 2\n", "g.txt", {.fold = true});
  EXPECT_EQ(found.rows, 4U);
  EXPECT_EQ(found.entries, (std::vector<entry>{{2, 0, 1}, {2, 1, 1}, {2, 1, 1}}));
}

TEST(matrix_file, bad_edges_are_refused) {
  EXPECT_EQ(error_of(""), "g.txt:2: expected an edge 'u v' or 'u v weight', got the end of the file");
  EXPECT_EQ(error_of("# none\n"), "g.txt:2: expected an edge 'u v' or 'u v weight', got the end of the file");
  EXPECT_EQ(error_of("this is\nno graph\n"), "g.txt:1: expected a vertex, got 'this'");
  EXPECT_EQ(error_of("0 1\n2\n"), "g.txt:2: expected a vertex, got the end of the line");
  EXPECT_EQ(error_of("0 1 3\n1 2\n"), "g.txt:2: expected a value, got the end of the line");
  EXPECT_EQ(error_of("0 1\n1 2 3\n"), "g.txt:2: expected 'u v', as in the first edge, got '3' after it");
  EXPECT_EQ(error_of("0 -1\n"), "g.txt:1: expected a vertex from 0 to 2147483646, got -1");
  EXPECT_EQ(error_of("0 1\n0 4000000000\n"), "g.txt:2: expected a vertex from 0 to 2147483646, got 4000000000");
  EXPECT_EQ(error_of("0 1\n5 0\n", "g.txt", {.vertices = 5}), "g.txt:2: expected a vertex from 0 to 4, got 5");
  EXPECT_EQ(error_of("0 1 inf\n"), "g.txt:1: expected a finite value, got inf");
  EXPECT_EQ(error_of("0 1 -2\n", "g.txt", {.positive_weights = true}), "g.txt:1: expected a weight above 0, got -2");
}

TEST(matrix_file, bad_matrices_are_refused) {
  const std::string form = "expected '%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric', got ";
  EXPECT_EQ(error_of("0 1\n", "m.mtx"), "m.mtx:1: " + form + "'0'");
  EXPECT_EQ(error_of("", "m.mtx"), "m.mtx:1: " + form + "the end of the line");
  EXPECT_EQ(error_of("%%MatrixMarket matrix array real general\n"),
            "g.txt:1: expected the format 'coordinate', got 'array'");
  EXPECT_EQ(error_of(header), "g.txt:2: expected a size line 'rows columns entries', got the end of the file");
  EXPECT_EQ(error_of(header + "2 0 1\n"), "g.txt:2: expected 1 to 2147483647 columns, got 0");
  EXPECT_EQ(error_of(header + "2 2 -1\n"), "g.txt:2: expected 0 entries or more, got -1");
  EXPECT_EQ(error_of(header + "2 3 1\n", "g.txt", {.square = true}),
            "g.txt:2: expected a square matrix, got 2 rows and 3 columns");
  EXPECT_EQ(error_of(header + "2 3 1\n", "g.txt", {.fold = true}),
            "g.txt:2: expected a square matrix, got 2 rows and 3 columns");
  EXPECT_EQ(error_of(header + "2 2 1\n", "g.txt", {.vertices = 3}), "g.txt:2: expected 3 rows, got 2");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 1\n"), "g.txt:4: expected entry 2 of 2, got the end of the file");
  EXPECT_EQ(error_of(header + "2 2 1\n1 1\n"), "g.txt:3: expected a value, got the end of the line");
  EXPECT_EQ(error_of(header + "2 2 1\n1 3 1\n"), "g.txt:3: expected a column from 1 to 2, got 3");
  EXPECT_EQ(error_of(header + "2 2 1\n3 1 1\n"), "g.txt:3: expected a row from 1 to 2, got 3");
  EXPECT_EQ(error_of(header + "2 2 1\n1 1 1\n2 2 1\n"), "g.txt:4: expected no more than 1 entries, got '2 2 1'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n"),
            "g.txt:3: expected the lower triangle only (symmetric), got 1 2 above the diagonal");
}

TEST(matrix_file, sizes_beyond_the_length_of_the_file_are_refused) {
  EXPECT_EQ(error_of(header + "2000000000 2000000000 1\n1 1 1\n"),
            "g.txt:2: expected at most 1000304 rows and columns in a file of 76 bytes, got 2000000000");
  EXPECT_EQ(error_of(header + "1000 1000 1000000\n1 1 1\n"),
            "g.txt:2: expected at most 17 entries in a file of 70 bytes, got 1000000");
  EXPECT_EQ(error_of("0 2000000000\n"),
            "g.txt:1: expected a vertex below 1000052 in a file of 13 bytes, got 2000000000");
  EXPECT_EQ(read("0 1000039\n", "g.txt").rows, 1000040U);
  EXPECT_EQ(read("0 2000000000\n", "g.txt", {.vertices = 2'000'000'001}).rows, 2'000'000'001U);
}

TEST(matrix_file, control_characters_are_spelled) {
  EXPECT_EQ(error_of("\x1b[31m 1\n"), "g.txt:1: expected a vertex, got '\\x1b[31m'");
}

std::string trouble_with(const std::string& file) {
  try {
    text::open_file(file);
  } catch (const text::file_error& error) {
    return error.what();
  }
  return "none";
}

// Each file begins with what that program writes first.
TEST(matrix_file, compressed_files_are_refused) {
  const std::string name = testing::TempDir() + "matrix_file_test.packed." + std::to_string(::getpid());
  using namespace std::string_view_literals;
  for (const auto& [begin, program] : {std::pair{"\x1f\x8b\x08"sv, "gzip"},
                                       {"\xfd"
                                        "7zXZ\0"sv,
                                        "xz"},
                                       {"\x28\xb5\x2f\xfd\x04"sv, "zstd"},
                                       {"BZh91AY"sv, "bzip2"},
                                       {"PK\x03\x04"sv, "zip"}}) {
    std::ofstream(name, std::ios::binary) << begin;
    EXPECT_EQ(trouble_with(name),
              name + ":0: expected text, got a file compressed by " + program + "; unpack it first");
  }
  std::ofstream(name) << "0 1\n";
  std::ifstream in = text::open_file(name);
  text::line_reader lines(in, name);
  EXPECT_TRUE(lines.next_line());
  EXPECT_EQ(lines.line(), "0 1");  // from its beginning
  ::unlink(name.c_str());
}

TEST(matrix_file, what_is_no_file_is_refused_at_once) {
  EXPECT_EQ(trouble_with("no/such.txt"), "no/such.txt:0: expected a readable file, got none");
  EXPECT_EQ(trouble_with("/"), "/:0: expected a readable file, got a folder");
  EXPECT_EQ(trouble_with("/dev/zero"), "/dev/zero:0: expected a readable file, got a device");
  const std::string pipe = testing::TempDir() + "matrix_file_test." + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(trouble_with(pipe), pipe + ":0: expected a readable file, got a pipe");
  ::unlink(pipe.c_str());
}

}  // namespace
