// Promise: each line of the files is on exactly one PE, in order, whatever ends it and wherever the parts are cut; a
// place names file, line and column; what cannot be read is said on every PE, and nobody waits; a packed file gives its
// lines or an error, whatever has been done to it. Method: random files on 1 to 5 and 70 PEs, plain and packed,
// compared with std::getline; and 1,000 packed files that have been cut or changed.
#include "tsubu/containers/files/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <sstream>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/files/files_for_tests.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

static_assert(std::ranges::input_range<text_lines>);

const folder_of_files* folder = nullptr;
std::vector<std::string> expected;
std::string pattern, said_of_too_long;

void expect_lines_of(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const bool ended = !in.eof();
    if (ended && line.ends_with('\r')) line.pop_back();
    expected.push_back(line);
  }
}

// Short lines most times, empty ones among them, and some that are longer than many parts, or than a block.
std::string random_text(std::mt19937_64& random, std::size_t longest) {
  std::string text;
  for (auto n = random() % 40; n > 0; --n) {
    text.append(random() % 8 == 0 ? random() % longest : random() % 4, static_cast<char>('a' + random() % 3));
    text += random() % 3 == 0 ? "\r\n" : random() % 9 == 0 ? "\r" : "\n";
  }
  if (random() % 2 == 0) text += "last";
  return text;
}

task<void> each_line_is_on_one_pe(pe_id) {
  auto text = co_await lines(pattern);
  std::vector<std::string> mine;
  for (const std::string_view line : text) mine.emplace_back(line);
  const std::vector<std::string> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    EXPECT_EQ(all, expected);
  }
}

void compare_random_files(std::uint64_t seed, std::size_t longest) {
  const folder_of_files in;
  std::mt19937_64 random(seed);
  expected.clear();
  for (auto file = 0U, files = static_cast<unsigned>(1 + random() % 4); file < files; ++file) {
    const std::string text = random_text(random, longest);
    const std::string bytes = random() % 3 == 0 ? "\xef\xbb\xbf" + text : text;
    in.write("part" + std::to_string(file) + ".txt", random() % 3 == 0 ? packed_by_chance(bytes, random) : bytes);
    expect_lines_of(text);
  }
  pattern = in.name("part?.txt");
  for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, each_line_is_on_one_pe);
}
TEST(Lines, AreEachOnOnePe) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) compare_random_files(seed, 300);
}
TEST(Lines, MayBeLongerThanABlock) {
  for (std::uint64_t seed = 1; seed <= 3 && !HasFailure(); ++seed) compare_random_files(seed, std::size_t{1} << 20);
}

task<void> places_are_told(pe_id) {
  const std::vector<std::string> all_files{folder->name("a"), folder->name("b"), folder->name("c")};
  auto text = co_await lines(all_files);
  std::vector<std::string> mine;
  for (const std::string_view line : text) {
    if (line.starts_with('!')) mine.push_back(text.place(line.size()));
  }
  const auto all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    const std::vector<std::string> places{all_files[0] + ":2:3", all_files[1] + ":1:1", all_files[1] + ":4:2",
                                          all_files[2] + ":3:1"};
    EXPECT_EQ(all, places);
  }
}
TEST(Lines, KnowTheirPlace) {
  const folder_of_files in;
  folder = &in;
  in.write("a", "one\n!23\r\nthree");
  in.write("b", "!\n\n\n!x\n");
  in.write("c", zipped("a\nb\n!"));
  run_many(places_are_told, 3);
}

task<std::string> what_is_wrong_with(std::string name) {
  std::string said;
  try {
    co_await lines(std::move(name));
  } catch (const data_file_error& error) {
    said = error.what();
  }
  co_return said;
}

task<void> errors_are_said_everywhere(pe_id) {
  const std::string missing = folder->name("missing.txt"), none = folder->name("*.csv");
  EXPECT_EQ(co_await what_is_wrong_with(missing), missing + ": no file has this name or matches it");
  EXPECT_EQ(co_await what_is_wrong_with(none), none + ": no file has this name or matches it");
  EXPECT_EQ(co_await what_is_wrong_with(folder->name("")),
            folder->name("") + ": is no regular file: only those are cut into parts");
}
TEST(Lines, SayWhatCannotBeRead) {
  const folder_of_files in;
  folder = &in;
  run_many(errors_are_said_everywhere, 3);
}

task<void> either_all_lines_or_an_error(pe_id) {
  std::vector<std::string> mine;
  std::string said;
  try {
    auto text = co_await lines(pattern);
    for (const std::string_view line : text) mine.emplace_back(line);
  } catch (const data_file_error& error) {
    said = error.what();
  }
  if (said.empty()) {
    EXPECT_EQ(mine, expected);
  } else {
    EXPECT_TRUE(said.starts_with(pattern + ": is damaged, or no ") ||
                said == pattern + ": ends before its compressed data do")
        << said;
  }
}
TEST(Lines, OfAPackedFileThatWasCutOrChangedAreAllThereOrAnError) {
  const folder_of_files in;
  pattern = in.name("packed");
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text = random_text(random, 300) + "more than nothing";
    expected.clear();
    expect_lines_of(text);
    std::string packed = random() % 2 == 0 ? zipped(text) : framed(text);
    if (random() % 2 == 0) {
      packed.resize(4 + random() % (packed.size() - 4));
    } else {
      packed = packed_by_chance(text, random);
      packed[4 + random() % (packed.size() - 4)] ^= static_cast<char>(1U << random() % 8);
    }
    in.write("packed", packed);
    run_all(1, seed, either_all_lines_or_an_error);
  }
}

constexpr std::size_t longest = 40;

// The lines that this PE can read, and what is said of the first one that is too long.
task<void> a_long_line_is_said(pe_id) {
  auto text = co_await lines(pattern, longest);
  std::vector<std::string> mine;
  std::string said;
  try {
    for (const std::string_view line : text) mine.emplace_back(line);
  } catch (const data_file_error& error) {
    said = error.what();
  }
  for (const std::string& line : mine) EXPECT_LE(line.size(), longest);
  const std::vector<std::string> all_said = co_await all_gather(said);
  const std::vector<std::string> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() > 0) co_return;
  for (const std::string& one : all_said) {
    if (one.empty()) continue;
    EXPECT_EQ(one, said_of_too_long);
    said = one;
  }
  EXPECT_EQ(said, said_of_too_long);
  if (said.empty()) {
    EXPECT_EQ(all, expected);
  }
}
TEST(Lines, AreNoLongerThanTheyMayBe) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    pattern = in.name("text");
    expected.clear();
    std::string text;
    for (auto n = random() % 40; n > 0; --n) text += std::string(longest - random() % 3 * 15, 'a') + '\n';
    const bool too_long = random() % 3 != 0;
    said_of_too_long.clear();
    if (too_long) {
      said_of_too_long = pattern + ':' + std::to_string(1 + std::count(text.begin(), text.end(), '\n')) +
                         ":1: the line is longer than 40 bytes";
      text.append(longest + 1 + random() % 60, 'b');
    }
    if (random() % 2 == 0) text += "\nlast";
    expect_lines_of(text);
    in.write("text", random() % 4 == 0 ? packed_by_chance(text, random) : text);
    for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, a_long_line_is_said);
  }
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

task<void> a_line_without_end_is_said(pe_id) {
  std::string said;
  auto text = co_await lines(pattern, mebibyte);
  try {
    for ([[maybe_unused]] const std::string_view line : text) continue;
  } catch (const data_file_error& error) {
    said = error.what();
  }
  EXPECT_EQ(said, this_pe() == 0 ? pattern + ":1:1: the line is longer than 1048576 bytes" : "");
}
TEST(Lines, WithoutEndDoNotFillTheMemory) {
  const folder_of_files in;
  pattern = in.name("endless");
  in.write("endless", "");
  std::filesystem::resize_file(pattern, 64 * mebibyte);
  const most_memory used;
  for (const pe_id pes : {1, 2, 5}) run_all(pes, 1, a_line_without_end_is_said);
  EXPECT_LT(used.more_than_before(), may_take(32 * mebibyte));
}

task<void> a_file_that_changed_is_said(pe_id) {
  auto text = co_await lines(folder->name("grows"));
  co_await barrier();
  folder->write("grows", "one two three\nfour five six\nseven\n");
  std::string said;
  try {
    for ([[maybe_unused]] const std::string_view line : text) continue;
  } catch (const data_file_error& error) {
    said = error.what();
  }
  EXPECT_EQ(said, folder->name("grows") + ": its length has changed since the job began to read it");
  co_await barrier();
  folder->write("grows", "one two three\nfour five six\n");
  co_await barrier();
}
TEST(Lines, SayThatAFileHasChanged) {
  const folder_of_files in;
  folder = &in;
  in.write("grows", "one two three\nfour five six\n");
  for (const pe_id pes : {1, 2, 5}) run_all(pes, 1, a_file_that_changed_is_said);
}

}  // namespace
}  // namespace tsubu::containers_test
