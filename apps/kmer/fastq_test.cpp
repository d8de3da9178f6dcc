// A file in two parts, cut anywhere, gives the reads of the whole; and what is wrong with it is never overlooked.
#include "apps/kmer/fastq.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace {

// Lines that look like others: qualities that begin with @ and +, a read without bases.
const std::vector<std::string> lines{"@one", "ACGT", "+",   "@@@@", "@two two", "AC", "+two two", "+5", "@three", "G",
                                     "+",    "@",    "@@@", "",     "+",        "",   "@five",    "NN", "+",      "+@"};

class fastq_file : public testing::Test {
 protected:
  ~fastq_file() override { std::filesystem::remove(name_); }

  void write(const std::vector<std::string>& all, const std::string& line_end = "\n") {
    std::ofstream out(name_, std::ios::binary);
    for (const std::string& line : all) out << line << line_end;
  }

  using reads = std::vector<std::string>;
  // The reads of two parts, or nothing if an error was found.
  std::optional<reads> read_parts(std::int64_t cut) const {
    reads all;
    try {
      kmer::fastq lower(name_, 0, cut), upper(name_, cut, size());
      for (std::string bases; lower.next(bases);) all.push_back(bases);
      for (std::string bases; upper.next(bases);) all.push_back(bases);
      if (lower.position() != upper.first()) return std::nullopt;
    } catch (const kmer::input_error&) {
      return std::nullopt;
    }
    return all;
  }
  std::int64_t size() const { return kmer::fastq_size(name_); }

  const std::string name_ = testing::TempDir() + "tsubu_fastq_test." + std::to_string(getpid());
};

TEST_F(fastq_file, in_two_parts_is_the_whole) {
  for (const std::string line_end : {"\n", "\r\n"}) {
    write(lines, line_end);
    for (std::int64_t cut = 0; cut <= size(); ++cut)
      EXPECT_EQ(read_parts(cut), (reads{"ACGT", "AC", "G", "", "NN"})) << "cut at byte " << cut;
  }
}

TEST_F(fastq_file, may_end_with_empty_lines) {
  std::vector<std::string> all = lines;
  all.insert(all.end(), 7, "");
  write(all);
  for (std::int64_t cut = 0; cut <= size(); ++cut) {
    const auto got = read_parts(cut);
    ASSERT_TRUE(got) << "cut at byte " << cut;
    EXPECT_EQ(got->size(), 5U) << "cut at byte " << cut;
  }
}

// Whichever line is missing: if a single reader objects, so do two, wherever the file is cut.
TEST_F(fastq_file, without_a_line_is_found_out) {
  for (std::size_t missing = 0; missing < lines.size(); ++missing) {
    std::vector<std::string> all = lines;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(missing));
    write(all);
    EXPECT_FALSE(read_parts(size())) << "without line " << missing;
    for (std::int64_t cut = 0; cut < size(); ++cut)
      EXPECT_FALSE(read_parts(cut)) << "without line " << missing << ", cut at byte " << cut;
  }
}

TEST_F(fastq_file, that_ends_early_is_found_out) {
  for (std::size_t kept = 1; kept < lines.size(); ++kept) {
    write({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(kept)});
    // Three lines of the read without bases are whole: of the fourth the end is missing.
    const bool whole = kept % 4 == 0 || (kept % 4 == 3 && lines[kept - 2].empty());
    for (std::int64_t cut = 0; cut <= size(); ++cut)
      EXPECT_EQ(read_parts(cut).has_value(), whole) << kept << " lines, cut at byte " << cut;
  }
}

TEST_F(fastq_file, may_end_with_a_read_without_bases) {
  for (const std::string line_end : {"\n", "\r\n"}) {
    for (const int ends : {0, 1, 3}) {
      write({"@one", "ACGT", "+", "@@@@", "@two", "", "+"}, line_end);
      for (int i = 0; i < ends; ++i) std::ofstream(name_, std::ios::binary | std::ios::app) << line_end;
      for (std::int64_t cut = 0; cut <= size(); ++cut)
        EXPECT_EQ(read_parts(cut), (reads{"ACGT", ""})) << ends << " line ends more, cut at byte " << cut;
    }
  }
  std::ofstream(name_, std::ios::binary) << "@one\n\n+";
  EXPECT_FALSE(read_parts(0)) << "the third line has no end";
  std::ofstream(name_, std::ios::binary) << "@one\nA\n+\n";
  EXPECT_FALSE(read_parts(0)) << "a quality is missing";
}

TEST_F(fastq_file, that_is_compressed_is_refused) {
  std::ofstream(name_, std::ios::binary) << "\x1f\x8b\x08 and so on";
  try {
    kmer::fastq(name_, 0, 5);
    FAIL();
  } catch (const kmer::input_error& error) {
    EXPECT_EQ(std::string(error.what()), name_ + ": compressed by gzip; unpack it first");
  }
}

TEST_F(fastq_file, is_shown_without_control_characters) {
  std::ofstream(name_, std::ios::binary) << "\xef\xbb\xbf@one\x1b[2J\nA\n+\nI\n";
  try {
    std::string bases;
    kmer::fastq(name_, 0, size()).next(bases);
    FAIL();
  } catch (const kmer::input_error& error) {
    EXPECT_EQ(std::string(error.what()),
              name_ + ": record at byte 0: expected a FASTQ record, @ and a name, got '\\xef\\xbb\\xbf@one\\x1b[2J'");
  }
}

}  // namespace
