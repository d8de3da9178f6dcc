// Promise: each row of CSV files is on exactly one PE, in order, with the columns that are asked for, however it is
// quoted and wherever the parts are cut; what is wrong is said with file, line and column, or is skipped and counted,
// the same on any number of PEs. Method: random tables, written with quotes by chance, on 1 to 5 and 70 PEs; and 1,000
// such files of which bytes have been changed, on 1 PE and on several.
#include "tsubu/containers/files/csv.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <ranges>
#include <utility>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/files/files_for_tests.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

static_assert(std::ranges::input_range<csv_rows<int>>);

using named_number = std::pair<std::string, std::int64_t>;
std::string pattern, columns;
csv_format format;
std::vector<named_number> expected;

// Letters, and all that means something.
std::string random_field(std::mt19937_64& random) {
  constexpr std::string_view bytes = "ab \"\",;\n\r\n";
  std::string field;
  for (auto n = random() % 4 == 0 ? random() % 60 : random() % 5; n > 0; --n) field += bytes[random() % bytes.size()];
  return field;
}

std::string quoted(const std::string& field, std::mt19937_64& random) {
  const bool needs_quotes = field.find_first_of("\",;\r\n") != std::string::npos || field.empty();
  if (!needs_quotes && random() % 4 != 0) return field;
  std::string all = "\"";
  for (const char c : field) all += c == '"' ? std::string("\"\"") : std::string(1, c);
  return all + '"';
}

// Three columns, the second of them random, in an order by chance; `expected` gets what was put into the other two.
std::string random_table(std::mt19937_64& random) {
  const std::string line_end = random() % 2 == 0 ? "\n" : "\r\n";
  std::array<int, 3> order{0, 1, 2};
  std::shuffle(order.begin(), order.end(), random);
  const auto line = [&](const std::array<std::string, 3>& fields) {
    std::string text;
    for (const int which : order) {
      if (which != order[0]) text += format.delimiter;
      text += quoted(fields[static_cast<std::size_t>(which)], random);
    }
    return text;
  };
  std::string text = random() % 3 == 0 ? "\xef\xbb\xbf" : "";
  text += line({"na\nme", "any", "num\"ber"});
  for (auto n = random() % 30; n > 0; --n) {
    const auto number = static_cast<std::int64_t>(random());
    expected.emplace_back(random_field(random), number);
    text += random() % 9 == 0 ? line_end + line_end : line_end;
    text += line({expected.back().first, random_field(random), std::to_string(number)});
  }
  return random() % 2 == 0 ? text : text + line_end;
}

task<std::vector<named_number>> all_rows() {
  auto rows = co_await csv<std::string, std::int64_t>(pattern, columns, format);
  std::vector<named_number> mine;
  for (const auto& [name, number] : rows) mine.emplace_back(name, number);
  co_return co_await gather_concatenated(std::move(mine), 0);
}

task<void> each_row_is_on_one_pe(pe_id) {
  const std::vector<named_number> all = co_await all_rows();
  if (this_pe() == 0) {
    EXPECT_EQ(all, expected);
  }
}

TEST(Csv, HasEachRowOnOnePe) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {.delimiter = random() % 2 == 0 ? ',' : ';'};
    columns = std::string("\"na\nme\"") + format.delimiter + "\"num\"\"ber\"";
    expected.clear();
    for (auto file = 0U, files = static_cast<unsigned>(1 + random() % 3); file < files; ++file) {
      const std::string text = random_table(random);
      in.write("part" + std::to_string(file), random() % 4 == 0 ? packed_by_chance(text, random) : text);
    }
    pattern = in.name("part?");
    for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, each_row_is_on_one_pe);
  }
}

std::uint64_t expected_skipped = 0;

task<void> skips_the_same(pe_id) {
  auto rows = co_await csv<std::string, std::int64_t>(pattern, columns, format);
  std::vector<named_number> mine;
  for (const auto& [name, number] : rows) mine.emplace_back(name, number);
  const std::vector<named_number> all = co_await gather_concatenated(std::move(mine), 0);
  const std::uint64_t skipped = co_await all_reduce(static_cast<std::uint64_t>(rows.skipped()), reduce::plus);
  if (pe_count() == 1) {
    expected = all;
    expected_skipped = skipped;
  } else if (this_pe() == 0) {
    EXPECT_EQ(all, expected);
    EXPECT_EQ(skipped, expected_skipped);
  }
}

TEST(Csv, SkipsWhatIsWrongOnAnyNumberOfPes) {
  std::uint64_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {.header = "name,any,number", .skips_bad = true};
    columns = "name,number";
    std::string text = random_table(random);
    for (auto n = 1 + random() % 4; n > 0; --n) text[random() % text.size()] = "\",\nx"[random() % 4];
    in.write("part", text);
    pattern = in.name("part");
    run_all(1, seed, skips_the_same);
    run_all(static_cast<pe_id>(2 + seed % 4), seed, skips_the_same);
    skipped += expected_skipped;
  }
  EXPECT_GT(skipped, 1000U);
}

task<std::string> what_is_said() {
  try {
    auto rows = co_await csv<std::optional<std::string_view>, std::optional<double>>(pattern, columns, format);
    for (const auto& row : rows) static_cast<void>(row);
  } catch (const data_file_error& error) {
    co_return error.what();
  }
  co_return "nothing";
}

struct mistake {
  std::string text, said;
};
const mistake* wrong = nullptr;

task<void> a_mistake_is_said(pe_id) {
  const std::string said = co_await what_is_said();
  EXPECT_EQ(said, wrong->said.starts_with(":") ? pattern + wrong->said : wrong->said);
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
  const folder_of_files in;
  pattern = in.name("table.csv");
  columns = "city,fare";
  format = {};
  const std::vector<mistake> all = {
      {"city,fare\nOslo,7\nRiga,\n,8.5\n", "nothing"},
      {"city,fare\nOslo,+7\nRiga, 1e3 \n", "nothing"},
      {"city,fare\nOslo,x\n", ":2:6: column \"fare\": \"x\" is not a number"},
      {"city,fare\n\"a\nb\",7 2\n", ":3:4: column \"fare\": \"7 2\" is not a number"},
      {"city,fare\n\nOslo\n", ":3:1: expected 2 fields, as the header has, not 1"},
      {"city,fare\nOslo,1,2\n", ":2:1: expected 2 fields, as the header has, not 3"},
      {"city,fare\n\"Os\"lo,1\n", ":2:5: text follows a quoted field"},
      {"city,fare\nRiga,2\n\"Oslo,1\nBari,2\n", ":3:1: a quoted field has no end"},
      {"city,price\nOslo,1\n", ": has no column \"fare\"; it has city, price"},
      {"\"city,fare\nOslo,1\n", ": of the names of columns, a quoted field has no end"},
  };
  for (const mistake& m : all) {
    wrong = &m;
    in.write("table.csv", m.text);
    run_all(1, 1, a_mistake_is_said);
  }
}

TEST(Csv, LeavesOutRowsThatAreTooLong) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {.skips_bad = true, .longest_record = 32};
    columns = "name,number";
    expected.clear();
    std::string text = "name,number\n";
    for (auto n = random() % 30; n > 0; --n) {
      const named_number one{random_field(random), static_cast<std::int64_t>(random() % 1000)};
      const std::string row = quoted(one.first, random) + ',' + std::to_string(one.second);
      if (row.size() <= format.longest_record) expected.push_back(one);
      text += row + '\n';
    }
    in.write("rows", random() % 4 == 0 ? packed_by_chance(text, random) : text);
    pattern = in.name("rows");
    for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, each_row_is_on_one_pe);
  }
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

task<void> a_row_without_end_is_said(pe_id) {
  const std::string said = co_await what_is_said();
  const bool has_it = !format.skips_bad && this_pe() == 0;
  EXPECT_EQ(said,
            has_it ? pattern + ":3:6: a quoted field has no end in the 1048576 bytes that a row may have" : "nothing");
}
TEST(Csv, WithoutAClosingQuoteDoesNotFillTheMemory) {
  const folder_of_files in;
  pattern = in.name("endless");
  columns = "city,fare";
  in.write("endless", "city,fare\nRiga,2\nOslo,\"7\nBari,3");
  std::filesystem::resize_file(pattern, 32 * mebibyte);
  const most_memory used;
  for (const bool skips : {false, true}) {
    format = {.skips_bad = skips, .longest_record = mebibyte};
    for (const pe_id pes : {1, 3}) run_all(pes, 1, a_row_without_end_is_said);
  }
  EXPECT_LT(used.more_than_before(), may_take(16 * mebibyte));
}

task<void> numbers_are_in_range(pe_id) {
  format = {.header = "n", .skips_bad = true};
  auto rows = co_await csv<std::uint8_t>(pattern, "n", format);
  int sum = 0;
  for (const auto& [n] : rows) sum += n;
  EXPECT_EQ(sum, 255);
  EXPECT_EQ(rows.skipped(), 4U);
}
TEST(Csv, HasNumbersOfTheirType) {
  const folder_of_files in;
  pattern = in.name("numbers");
  in.write("numbers", "255\n256\n-1\n1.0\n0x1\n0\n");
  run_all(1, 1, numbers_are_in_range);
}

}  // namespace
}  // namespace tsubu::containers_test
