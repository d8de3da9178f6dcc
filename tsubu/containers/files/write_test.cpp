// Promise: what PEs write as lines or as rows is read again, all of it and in the order of the PEs, by any whole of
// PEs; a write that fails says why on every PE and leaves what was written before; a folder that is not as it was
// written is said, and one with a saved container is not replaced. Method: random texts and tables, with all that means
// something in them, on 1 to 5 and 70 PEs, written by one whole and read by others; full disks, and folders that have
// been changed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <ranges>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/files/csv.hpp"
#include "tsubu/containers/files/files_for_tests.hpp"
#include "tsubu/containers/files/lines.hpp"
#include "tsubu/containers/files/write_csv.hpp"
#include "tsubu/containers/files/write_lines.hpp"
#include "tsubu/containers/files/write_records.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;
namespace fs = std::filesystem;

std::string written, said;

template <class T>
std::vector<T> own_share(const std::vector<T>& all) {
  const remote::part mine = part_of(all.size());
  const auto begin = all.begin();
  return {begin + static_cast<std::ptrdiff_t>(mine.from()), begin + static_cast<std::ptrdiff_t>(mine.to())};
}

std::string random_text(std::mt19937_64& random, std::string_view letters) {
  std::string text = random() % 30 == 0 ? "\xef\xbb\xbf" : "";
  for (auto n = random() % 4 == 0 ? random() % 60 : random() % 5; n > 0; --n)
    text += letters[random() % letters.size()];
  return text;
}

// ---- lines

std::vector<std::string> texts;

task<void> write_texts(pe_id) {
  said.clear();
  const std::vector<std::string> mine = own_share(texts);
  try {
    co_await write_lines(written, mine);
  } catch (const data_file_error& error) {
    if (!said.empty()) {
      EXPECT_EQ(said, error.what());
    }
    said = error.what();
  }
}
task<void> read_texts(pe_id) {
  auto text = co_await lines(written);
  std::vector<std::string> mine;
  for (const std::string_view line : text) mine.emplace_back(line);
  const std::vector<std::string> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    EXPECT_EQ(all, texts);
  }
}

TEST(WriteLines, AreReadAgainByAnyNumberOfPes) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    const folder_of_files in;
    written = in.name("texts");
    std::mt19937_64 random(seed);
    for (const pe_id pes : {1, 2, 3, 5, 70}) {
      if (pes == 70 && seed > 3) continue;
      texts.clear();
      for (auto n = random() % 40; n > 0; --n) {
        texts.push_back(random_text(random, "ab \",\r\t"));
        while (texts.back().ends_with('\r')) texts.back().pop_back();
      }
      run_all(pes, seed, write_texts);
      for (const pe_id readers : {1, 2, 3, 5}) run_all(readers, seed, read_texts);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(written), fs::directory_iterator()), 2);
  }
}

// ---- rows

using whole = std::int64_t;
using written_row = std::tuple<std::string, std::pair<whole, double>, std::optional<std::uint8_t>>;
using read_row = std::tuple<std::string, whole, double, std::optional<std::uint8_t>>;
std::vector<written_row> table;
char delimiter = ',';

task<void> write_table(pe_id) {
  const std::vector<written_row> mine = own_share(table);
  const auto by_value = std::views::transform(mine, [](const written_row& r) { return r; });
  if (delimiter == ',') {
    co_await write_csv(written, "\"te\nxt\",whole,real,maybe", mine);
  } else {
    co_await write_csv(written, "\"te\nxt\";whole;real;maybe", by_value, delimiter);
  }
}
task<void> read_table(pe_id) {
  const std::string columns =
      std::string("\"te\nxt\"") + delimiter + "whole" + delimiter + "real" + delimiter + "maybe";
  const csv_format format{.delimiter = delimiter};
  auto rows = co_await csv<std::string, whole, double, std::optional<std::uint8_t>>(written, columns, format);
  std::vector<read_row> mine;
  for (const read_row& row : rows) mine.push_back(row);
  const std::vector<read_row> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() > 0) co_return;
  EXPECT_EQ(all.size(), table.size());
  for (std::size_t i = 0; i < std::min(all.size(), table.size()); ++i) {
    const auto& [text, numbers, maybe] = table[i];
    EXPECT_EQ(all[i], read_row(text, numbers.first, numbers.second, maybe));
  }
}

TEST(WriteCsv, IsReadAgainByAnyNumberOfPes) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    const folder_of_files in;
    written = in.name("table");
    std::mt19937_64 random(seed);
    delimiter = random() % 2 == 0 ? ',' : ';';
    for (const pe_id pes : {1, 2, 3, 5, 70}) {
      if (pes == 70 && seed > 3) continue;
      table.clear();
      for (auto n = random() % 40; n > 0; --n) {
        const double real = static_cast<double>(random()) / static_cast<double>(1 + random() % 1'000'000);
        const auto byte = static_cast<std::uint8_t>(random());
        table.emplace_back(random_text(random, "ab \"\",;\n\r"), std::pair(static_cast<whole>(random()), real),
                           byte % 3 == 0 ? std::nullopt : std::optional(byte));
      }
      run_all(pes, seed, write_table);
      for (const pe_id readers : {1, 2, 3, 5}) run_all(readers, seed, read_table);
    }
  }
}

// ---- what is not pairs of texts and numbers

task<void> one_column_has_empty_rows(pe_id) {
  std::vector<std::string> mine{"", "a", ""};
  const std::vector<std::optional<int>> some{std::nullopt, 7};
  co_await write_csv(written, "text", std::move(mine));
  co_await write_csv(written + "2", "whole", some);
  auto rows = co_await csv<std::string>(written, "text");
  std::size_t empty = 0, all = 0;
  for (const auto& [text] : rows) {
    ++all;
    empty += text.empty() ? 1 : 0;
  }
  EXPECT_EQ(co_await all_reduce(all, reduce::plus), 3 * static_cast<std::size_t>(pe_count()));
  EXPECT_EQ(co_await all_reduce(empty, reduce::plus), 2 * static_cast<std::size_t>(pe_count()));
  auto numbers = co_await csv<std::optional<int>>(written + "2", "whole");
  int sum = 0;
  for (const auto& [n] : numbers) sum += n.value_or(100);
  EXPECT_EQ(co_await all_reduce(sum, reduce::plus), 107 * pe_count());
}
TEST(WriteCsv, HasRowsOfOneEmptyField) {
  const folder_of_files in;
  written = in.name("column");
  for (const pe_id pes : {1, 3}) run_all(pes, 1, one_column_has_empty_rows);
}

constexpr whole keys = 100;

template <class Row>
task<std::vector<Row>> sorted_rows(std::vector<Row> mine) {
  std::vector<Row> all = co_await gather_concatenated(std::move(mine), 0);
  std::ranges::sort(all);
  co_return all;
}

// Nobody waits before it writes for what it has sent.
task<void> containers_are_written(pe_id) {
  auto sums = co_await create_map<std::pair<std::string, whole>, double>();
  auto many = co_await create_multimap<whole, std::string>();
  auto words = co_await create_counting_set<std::string>();
  auto names = co_await create_set<std::string>();
  for (const std::size_t i : part_of(keys)) {
    const auto n = static_cast<whole>(i);
    co_await sums.past().insert(std::pair(std::to_string(n), n), static_cast<double>(n) / 3);
    for (whole v = 0; v < n % 4; ++v) co_await many.past().insert(n, std::to_string(v));
    co_await words.insert(std::to_string(n % 10));
    co_await names.past().insert("name " + std::to_string(n));
  }
  co_await write_csv(written + "/sums", "text,whole,sum", sums);
  co_await write_csv(written + "/many", "whole,text", many);
  co_await write_csv(written + "/words", "word,times", words);
  co_await write_lines(written + "/names", names);
}
task<void> containers_are_read(pe_id) {
  auto sums = co_await csv<std::string, whole, double>(written + "/sums", "text,whole,sum");
  std::size_t count = 0;
  for (const auto& [text, n, third] : sums) {
    EXPECT_TRUE(text == std::to_string(n) && third == static_cast<double>(n) / 3);
    ++count;
  }
  EXPECT_EQ(co_await all_reduce(count, reduce::plus), static_cast<std::size_t>(keys));

  using numbered = std::pair<whole, std::string>;
  auto many = co_await csv<whole, std::string>(written + "/many", "whole,text");
  std::vector<numbered> found, expected;
  for (const auto& [n, text] : many) found.emplace_back(n, text);
  for (whole n = 0; n < keys; ++n) {
    for (whole v = 0; v < n % 4; ++v) expected.emplace_back(n, std::to_string(v));
  }
  found = co_await sorted_rows(std::move(found));
  if (this_pe() == 0) {
    EXPECT_EQ(found, expected);
  }

  auto words = co_await csv<std::string, whole>(written + "/words", "word,times");
  whole times = 0;
  for (const auto& [word, n] : words) times += n == 10 && word.size() == 1 ? n : 1000;
  EXPECT_EQ(co_await all_reduce(times, reduce::plus), keys);

  auto names = co_await lines(written + "/names");
  std::vector<std::string> lines_found;
  for (const std::string_view line : names) lines_found.emplace_back(line);
  lines_found = co_await sorted_rows(std::move(lines_found));
  if (this_pe() == 0) {
    EXPECT_EQ(lines_found.size(), static_cast<std::size_t>(keys));
    EXPECT_TRUE(std::ranges::adjacent_find(lines_found) == lines_found.end());
  }
}
TEST(Write, ContainersAreWrittenWhenAllIsDone) {
  const folder_of_files in;
  written = in.name("containers");
  for (std::uint64_t seed = 1; seed <= 10 && !HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 5}) {
      run_all(pes, seed, containers_are_written);
      for (const pe_id readers : {1, 3}) run_all(readers, seed, containers_are_read);
    }
  }
}

// ---- what goes wrong

// Whether the folder has what was written before, and nothing beside it.
void expect_texts(const std::vector<std::string>& before) {
  const std::vector<std::string> wanted = std::exchange(texts, before);
  run_all(2, 1, read_texts);
  EXPECT_EQ(std::distance(fs::directory_iterator(written), fs::directory_iterator()), 2) << said;
  texts = wanted;
}

TEST(Write, LeavesWhatWasWrittenBeforeWhereItFails) {
  const folder_of_files in;
  written = in.name("texts");
  const std::vector<std::string> before{"one", "two", "three"};
  texts = before;
  run_all(3, 1, write_texts);
  EXPECT_EQ(said, "");

  texts = {"four", "fi\nve", "six"};
  run_all(3, 1, write_texts);
  EXPECT_EQ(said, written + "/parts.2.new/0.1.txt: line 1 has a line feed in it, which would make two lines of it");
  expect_texts(before);
  texts = {"four", "five\r"};
  run_all(1, 1, write_texts);
  EXPECT_EQ(
      said,
      written + "/parts.2.new/0.0.txt: line 2 ends with a carriage return, which would be part of its line's end");
  expect_texts(before);

  // A disk that is full when the list is written.
  texts = {"four"};
  fs::create_symlink("/dev/full", written + "/list.new");
  run_all(2, 1, write_texts);
  EXPECT_EQ(said, written + "/list.new: No space left on device");
  expect_texts(before);
  // One that is full when the parts are.
  texts.assign(300, "much");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{100, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  run_all(3, 1, write_texts);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(said, written + "/parts.2.new/0.0.txt: File too large");
  expect_texts(before);
  // Somebody else's folder.
  in.write("letter", "Dear Ann");
  fs::rename(in.name("letter"), written + "/letter");
  run_all(2, 1, write_texts);
  EXPECT_EQ(said, written + ": has \"letter\", which is no part of a saved state: save into a folder of its own");
}

task<void> read_what_is_wrong(pe_id) {
  try {
    co_await lines(written);
    said.clear();
  } catch (const data_file_error& error) {
    said = error.what();
  }
}
task<void> save_a_set(pe_id) {
  auto names = co_await create_set<std::string>();
  co_await names.save(written);
  std::string why;
  try {
    co_await write_csv(written, "a,b", names);
  } catch (const data_file_error& error) {
    why = error.what();
  }
  EXPECT_EQ(why, "write_csv(): the header \"a,b\" names 2 columns, and the rows have 1");
}

TEST(Write, AFolderThatIsNotAsItWasWrittenIsSaid) {
  const folder_of_files in;
  written = in.name("texts");
  texts = {"one", "two", "three"};
  run_all(3, 1, write_texts);
  const std::string part = written + "/parts.1/0.1.txt";
  fs::resize_file(part, 3);
  run_all(2, 1, read_what_is_wrong);
  EXPECT_EQ(said, part + ": has 3 bytes, and " + written + "/list tells of 4");
  fs::remove(part);
  run_all(2, 1, read_what_is_wrong);
  EXPECT_EQ(said, part + ": No such file or directory");

  written = in.name("set");
  run_all(2, 1, save_a_set);
  run_all(2, 1, read_what_is_wrong);
  EXPECT_EQ(said, written + "/list: tells of a saved set of text, which load() brings back, and of no data files");
}

template <class F>
task<std::string> error_of(F work) {
  try {
    co_await work();
  } catch (const data_file_error& error) {
    co_return error.what();
  }
  co_return "none";
}

// Whatever is written into that folder, what load() brings back from it stays; and the other way round.
task<void> replaces_no_saved_containers(pe_id) {
  auto numbers = co_await create_set<int>();
  for (const std::size_t i : part_of(50)) co_await numbers.past().insert(static_cast<int>(i));
  co_await numbers.save(written + "/state");
  const std::string list = written + "/state/list: tells of a saved set of i32, which files of ";
  const std::string own = " would replace: write into a folder of its own";
  EXPECT_EQ(co_await error_of([&] { return write_csv(written + "/state", "number", numbers); }), list + "csv" + own);
  EXPECT_EQ(co_await error_of([&] { return write_lines(written + "/state", std::vector<std::string>{"one"}); }),
            list + "lines" + own);
  EXPECT_EQ(co_await error_of([&] { return write_records(written + "/state", numbers); }),
            list + "records of 4 bytes" + own);
  EXPECT_EQ(co_await error_of([&] { return write_record_file(written + "/state", numbers); }),
            written + "/state: is a folder, and would be a file of records");
  auto again = co_await create_set<int>();
  co_await again.load(written + "/state");
  EXPECT_EQ(co_await again.size(), 50U);

  // What was written may be written as something else; but it is not replaced by what is saved.
  const std::string rows = written + "/rows";
  co_await write_records(rows, numbers);
  co_await write_csv(rows, "number", numbers);
  EXPECT_EQ(co_await error_of([&] { return numbers.save(rows); }),
            rows + "/list: tells of files of csv, which a saved set of i32" + own);
  EXPECT_EQ(co_await error_of([&] { return again.load(rows); }),
            rows + "/list: tells of files of csv, and of no saved containers");
  auto read = co_await csv<int>(rows, "number");
  const auto count = static_cast<std::size_t>(std::ranges::distance(read));
  EXPECT_EQ(co_await all_reduce(count, reduce::plus), 50U);

  // A list that is nobody's is not replaced by either.
  const std::string other = written + "/other";
  if (this_pe() == 0) {
    fs::create_directory(other);
    std::ofstream(other + "/list") << "eggs, milk";
  }
  co_await barrier();
  const std::string no_list =
      "/list: is no list of saved containers: it does not begin with \"tsubu saved containers, ";
  EXPECT_TRUE((co_await error_of([&] { return numbers.save(other); })).starts_with(other + no_list));
  EXPECT_TRUE((co_await error_of([&] { return write_csv(other, "number", numbers); })).starts_with(other + no_list));
  EXPECT_EQ(fs::file_size(other + "/list"), 10U);
}
TEST(Write, ReplacesNoSavedContainers) {
  for (const pe_id pes : {1, 2, 5}) {
    const folder_of_files in;
    written = in.name("here");
    run_all(pes, 1, replaces_no_saved_containers);
  }
}

}  // namespace
}  // namespace tsubu::containers_test
