// Promise: each line of NDJSON files is on exactly one PE, in order, with the values that are asked for, wherever the
// parts are cut; what is no JSON, is missing or is of another type is said with file and line, or is skipped and
// counted, the same on any number of PEs. Method: random objects, written in one of many ways by chance, on 1 to 5 and
// 70 PEs; such files of which bytes have been changed, on 1 PE and on several; mistakes with what is said of each; and
// random bytes, of which another parser says whether they are JSON.
#include "tsubu/containers/files/ndjson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/files/files_for_tests.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

static_assert(std::ranges::input_range<ndjson_rows<int>>);
static_assert(containers::is_json_value<std::optional<std::string_view>> && !containers::is_json_value<char>);

// A text, a whole number, a real one, and one that may be missing.
using event = std::tuple<std::string, std::int64_t, double, std::optional<std::uint8_t>>;
constexpr const char* all_columns = "user,/a~1b/0/n,/a~1b/1,maybe";
std::string pattern, columns;
ndjson_format format;
std::vector<event> expected;

// Letters of one to four bytes, and all that is escaped.
std::string random_text(std::mt19937_64& random) {
  static const std::vector<std::string> letters = {"a",  "\"",   "\\",     "/",      "\n",
                                                   "\t", "\x01", "\u00e9", "\u7c92", "\U0001f33e"};
  std::string text;
  for (auto n = random() % 4 == 0 ? random() % 60 : random() % 5; n > 0; --n)
    text += letters[random() % letters.size()];
  return text;
}

std::string quoted(const std::string& text, std::mt19937_64& random) {
  return nlohmann::json(text).dump(-1, ' ', random() % 2 == 0);
}

// Anything that a column does not ask for.
std::string random_other(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0:
      return "null";
    case 1:
      return R"({"user": [1, {"maybe": {}}], "x": ""})";
    case 2:
      return "[[], {}, [true, false], -0.5e-3]";
    case 3:
      return quoted(random_text(random), random);
    case 4:
      return "18446744073709551615";
    default:
      return "1E+2";
  }
}

std::string space(std::mt19937_64& random) { return random() % 5 == 0 ? " \t" : ""; }

std::string random_line(const event& e, std::mt19937_64& random) {
  const auto& [user, whole, real, maybe] = e;
  std::vector<std::pair<std::string, std::string>> members = {
      {"user", quoted(user, random)},
      {"a/b", R"([{"n":)" + std::to_string(whole) + "}, " + nlohmann::json(real).dump() + ",7]"},
      {"other", random_other(random)},
      {"more", random_other(random)}};
  if (maybe.has_value()) members.emplace_back("maybe", std::to_string(*maybe));
  if (!maybe.has_value() && random() % 2 == 0) members.emplace_back("maybe", "null");
  std::shuffle(members.begin(), members.end(), random);
  std::string line = space(random) + '{';
  for (const auto& [key, value] : members) {
    if (key != members[0].first) line += space(random) + ',';
    line += space(random) + quoted(key, random) + space(random) + ':' + space(random) + value;
  }
  return line + space(random) + '}' + space(random);
}

std::string random_lines(std::mt19937_64& random) {
  const std::string line_end = random() % 2 == 0 ? "\n" : "\r\n";
  std::string text = random() % 3 == 0 ? "\xef\xbb\xbf" : "";
  for (auto n = random() % 30; n > 0; --n) {
    const double real = static_cast<double>(random()) / static_cast<double>(1 + random() % 1'000'000);
    const auto byte = static_cast<std::uint8_t>(random());
    expected.emplace_back(random_text(random), static_cast<std::int64_t>(random()), real,
                          byte % 3 == 0 ? std::nullopt : std::optional(byte));
    text += random_line(expected.back(), random) + line_end;
    if (random() % 9 == 0) text += space(random) + line_end;
  }
  if (text.ends_with('\n') && random() % 2 == 0) text.pop_back();
  return text;
}

using events = ndjson_rows<std::string, std::int64_t, double, std::optional<std::uint8_t>>;
task<events> events_of_files() {
  return ndjson<std::string, std::int64_t, double, std::optional<std::uint8_t>>(pattern, columns, format);
}

task<void> each_line_is_on_one_pe(pe_id) {
  events rows = co_await events_of_files();
  std::vector<event> mine;
  for (const event& e : rows) mine.push_back(e);
  const std::vector<event> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    EXPECT_EQ(all, expected);
  }
}

TEST(Ndjson, HasEachLineOnOnePe) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {};
    columns = all_columns;
    expected.clear();
    for (auto file = 0U, files = static_cast<unsigned>(1 + random() % 3); file < files; ++file) {
      const std::string text = random_lines(random);
      in.write("part" + std::to_string(file), random() % 4 == 0 ? packed_by_chance(text, random) : text);
    }
    pattern = in.name("part?");
    for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, each_line_is_on_one_pe);
  }
}

std::uint64_t expected_skipped = 0;

task<void> skips_the_same(pe_id) {
  events rows = co_await events_of_files();
  std::vector<event> mine;
  for (const event& e : rows) mine.push_back(e);
  const std::vector<event> all = co_await gather_concatenated(std::move(mine), 0);
  const std::uint64_t skipped = co_await all_reduce(static_cast<std::uint64_t>(rows.skipped()), reduce::plus);
  if (pe_count() == 1) {
    expected = all;
    expected_skipped = skipped;
  } else if (this_pe() == 0) {
    EXPECT_EQ(all, expected);
    EXPECT_EQ(skipped, expected_skipped);
  }
}

TEST(Ndjson, SkipsWhatIsWrongOnAnyNumberOfPes) {
  std::uint64_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {.skips_bad = true, .longest_record = 200};
    columns = all_columns;
    std::string text = random_lines(random) + "\n";
    for (auto n = 1 + random() % 4; n > 0; --n) text[random() % text.size()] = "\",\n{]\\\xff"[random() % 7];
    in.write("part", text);
    pattern = in.name("part");
    run_all(1, seed, skips_the_same);
    run_all(static_cast<pe_id>(2 + seed % 4), seed, skips_the_same);
    skipped += expected_skipped;
  }
  EXPECT_GT(skipped, 1000U);
}

// ---- what is said of mistakes

struct mistake {
  std::string text, said;
};
const mistake* wrong = nullptr;

template <class... T>
task<std::string> what_is_said() {
  try {
    auto rows = co_await ndjson<T...>(pattern, columns, format);
    for (const auto& row : rows) static_cast<void>(row);
  } catch (const data_file_error& error) {
    co_return error.what();
  }
  co_return "nothing";
}
template <class... T>
task<void> a_mistake_is_said(pe_id) {
  const std::string said = co_await what_is_said<T...>();
  EXPECT_EQ(said, wrong->said.starts_with(":") ? pattern + wrong->said : wrong->said);
}
template <class... T>
void each_is_said(const std::string& of_columns, const std::vector<mistake>& all) {
  const folder_of_files in;
  pattern = in.name("events.ndjson");
  columns = of_columns;
  format = {};
  for (const mistake& m : all) {
    wrong = &m;
    in.write("events.ndjson", m.text);
    run_all(1, 1, a_mistake_is_said<T...>);
  }
}

const std::string no_value =
    "the line is no JSON: a comma, a colon, a quote, a bracket or a value is missing, or there is more than one value";
const std::string no_number =
    "the line is no JSON: a number is not written as one of JSON's, or fits neither into 64 bits nor into a double";
const std::string no_word = "the line is no JSON: a word is none of true, false and null";
const std::string no_escape = "the line is no JSON: an escape in a text is none of JSON's, or a half of a pair";
const std::string no_utf8 = "the line is no JSON: its bytes are no UTF-8";
const std::string no_quote = "the line is no JSON: a text has no closing quote";
const std::string control = "the line is no JSON: a text has a control character that is not escaped";

TEST(Ndjson, SaysWhatIsNoJsonAndWhere) {
  each_is_said<std::optional<int>>("n", {
                                            {"", "nothing"},
                                            {"\n \n\t\r\n{}\n", "nothing"},
                                            {"{\"n\":1}\n{\"n\":2", ":2:1: " + no_value},
                                            {"{\"n\":1}}\n", ":1:1: " + no_value},
                                            {"{\"n\":1} {\"n\":2}\n", ":1:1: " + no_value},
                                            {"{\"n\":1},\n", ":1:1: " + no_value},
                                            {"{\"n\" 1}\n", ":1:1: " + no_value},
                                            {"{\"n\":1 \"m\":2}\n", ":1:1: " + no_value},
                                            {"{\"n\":1,}\n", ":1:1: " + no_value},
                                            {"{\"n\":}\n", ":1:1: " + no_value},
                                            {"{n:1}\n", ":1:1: " + no_value},
                                            {"{'n':1}\n", ":1:1: " + no_value},
                                            {"{\"m\":[1,2,],\"n\":1}\n", ":1:1: " + no_value},
                                            {"{\"m\":[1 2],\"n\":1}\n", ":1:1: " + no_value},
                                            {"{\"m\":[1,2},\"n\":1}\n", ":1:1: " + no_value},
                                            {"{\"n\":1} // one\n", ":1:1: " + no_value},
                                            {"\n\n{\"n\":01}\n", ":3:1: " + no_number},
                                            {"{\"n\":-}\n", ":1:1: " + no_number},
                                            {"{\"n\":1.}\n", ":1:1: " + no_number},
                                            {"{\"n\":1e}\n", ":1:1: " + no_number},
                                            {"{\"m\":1e999}\n", ":1:1: " + no_number},
                                            {"{\"m\":18446744073709551616}\n", ":1:1: " + no_number},
                                            {"{\"m\":-9223372036854775809}\n", ":1:1: " + no_number},
                                            {"{\"m\":tru}\n", ":1:1: " + no_word},
                                            {"{\"m\":falsely}\n", ":1:1: " + no_word},
                                            {"{\"m\":nil}\n", ":1:1: " + no_word},
                                            {"{\"m\":NaN}\n", ":1:1: " + no_value},
                                            {"{\"m\":\"\\x\"}\n", ":1:1: " + no_escape},
                                            {"{\"m\":\"\\u12g4\"}\n", ":1:1: " + no_escape},
                                            {"{\"m\":\"\\ud83c.\"}\n", ":1:1: " + no_escape},
                                            {"{\"m\":\"\\udf3e\"}\n", ":1:1: " + no_escape},
                                            {"{\"m\":\"a\xff\"}\n", ":1:1: " + no_utf8},
                                            {"{\"m\":\"a\xc3\"}\n", ":1:1: " + no_utf8},
                                            {"{\"m\":\"\xed\xa0\x80\"}\n", ":1:1: " + no_utf8},
                                            {"{\"m\":\"\xc0\x80\"}\n", ":1:1: " + no_utf8},
                                            {"{\"m\":\"a}\n", ":1:1: " + no_quote},
                                            {"{\"m\":\"a\tb\"}\n", ":1:1: " + control},
                                            {"{\"n\":1}\n\xef\xbb\xbf{\"n\":1}\n",
                                             ":2:1: the line has a byte order mark, which only a file may begin with"},
                                            {std::string(1025, '[') + std::string(1025, ']'),
                                             ":1:1: the line is no JSON: it is nested deeper than 1024"},
                                            {std::string(1000, '[') + std::string(1000, ']'), "nothing"},
                                        });
}

TEST(Ndjson, SaysWhatIsNotThereOrOfAnotherType) {
  each_is_said<int>("n", {
                             {"{\"n\":7}\n[7]\n", ":2:1: column \"n\" is missing"},
                             {"7\n", ":1:1: column \"n\" is missing"},
                             {"{\"N\":7}", ":1:1: column \"n\" is missing"},
                             {"{\"n\":null}", ":1:1: column \"n\": null is not a whole number of its type"},
                             {"{\"n\":\"7\"}", ":1:1: column \"n\": \"7\" is not a whole number of its type"},
                             {"{\"n\":7.0}", ":1:1: column \"n\": 7.0 is not a whole number of its type"},
                             {"{\"n\":true}", ":1:1: column \"n\": true is not a whole number of its type"},
                             {"{\"n\":[7]}", ":1:1: column \"n\": [7] is not a whole number of its type"},
                             {"{\"n\":2147483648}", ":1:1: column \"n\": 2147483648 is not a whole number of its type"},
                             {"{\"n\":18446744073709551615}",
                              ":1:1: column \"n\": 18446744073709551615 is not a whole number of its type"},
                             {"{\"n\":1,\"m\":1,\"n\":1}", ":1:1: the line has the key \"n\" twice"},
                             {"{\"n\":1,\"m\":1,\"\\u006e\":1}", ":1:1: the line has the key \"n\" twice"},
                             {"{\"m\":1,\"m\":1,\"n\":1}", "nothing"},
                         });
  each_is_said<unsigned>("n", {{"{\"n\":-1}", ":1:1: column \"n\": -1 is not a whole number of its type"}});
  each_is_said<float>("n", {{"{\"n\":-7}\n{\"n\":18446744073709551615}\n{\"n\":1e-99}", "nothing"},
                            {"{\"n\":1e39}", ":1:1: column \"n\": 1e+39 is not a number of its type"},
                            {"{\"n\":\"\"}", ":1:1: column \"n\": \"\" is not a number of its type"}});
  each_is_said<bool>(
      "n", {{"{\"n\":true}\n{\"n\":false}", "nothing"}, {"{\"n\":1}", ":1:1: column \"n\": 1 is not true or false"}});
  const std::string long_text = R"([")" + std::string(56, 'a') + "\u7c92\"]";
  each_is_said<std::string_view>("/a/1/b",
                                 {{R"({"a":[0,{"b":"x"}]})", "nothing"},
                                  {R"({"a":{"1":{"b":"x"}}})", "nothing"},
                                  {R"({"a":[0]})", ":1:1: column \"/a/1/b\" is missing"},
                                  {R"({"a":[0,"b"]})", ":1:1: column \"/a/1/b\" is missing"},
                                  {R"({"a":[0,{"b":5}]})", ":1:1: column \"/a/1/b\": 5 is not a text"},
                                  {R"({"a":[0,{"b": {"c": 1}}]})", ":1:1: column \"/a/1/b\": {\"c\":1} is not a text"},
                                  {R"({"a":[0,{"b":)" + long_text + "}]}",
                                   ":1:1: column \"/a/1/b\": [\"" + std::string(56, 'a') + "... is not a text"},
                                  {R"({"a":[0,{"b":"x","b":"x"}]})", ":1:1: the line has the key \"b\" twice"},
                                  {R"({"a":[],"a":[0,{"b":"x"}]})", ":1:1: the line has the key \"a\" twice"}});
  each_is_said<std::optional<std::string>, std::optional<double>>(
      "a,/a/b", {{"{\"a\":\"x\"}\n{}\n{\"a\":null}", "nothing"},
                 {"{\"a\":{\"b\":1}}", ":1:1: column \"a\": {\"b\":1} is not a text"},
                 {"{\"a\":5}", ":1:1: column \"a\": 5 is not a text"}});
}

TEST(Ndjson, SaysWhichColumnsAreNone) {
  for (const auto& [of_columns, said] : std::vector<std::pair<std::string, std::string>>{
           {"a,b", "ndjson(): \"a,b\" names 2 columns, and the rows have 1"},
           {"/a~", "ndjson(): column \"/a~\": in a JSON pointer 0 or 1 stands behind '~'"},
           {"/a~2/b", "ndjson(): column \"/a~2/b\": in a JSON pointer 0 or 1 stands behind '~'"},
           {"\"a", "ndjson(): of the names of columns, a quoted field has no end"}}) {
    each_is_said<int>(of_columns, {{"{\"a\":1}", said}});
  }
}

// ---- values

std::vector<std::string> whole_values;
task<void> whole_values_are_read(pe_id) {
  auto rows = co_await ndjson<double>(pattern, "");
  std::vector<double> mine;
  for (const auto& [x] : rows) mine.push_back(x);
  EXPECT_EQ(mine, (std::vector<double>{7, -0.5, 18446744073709551615.0}));
}
TEST(Ndjson, HasTheWholeValue) {
  const folder_of_files in;
  pattern = in.name("numbers");
  in.write("numbers", "7\n-0.5\n18446744073709551615");
  run_all(1, 1, whole_values_are_read);
}

task<void> keys_are_found(pe_id) {
  auto rows = co_await ndjson<int, int, int, int, std::optional<int>, int>(pattern, "\"a,b\",/~1/~0,/,/ä/00,/l/01,n");
  int sum = 0;
  for (const auto& [comma, slash, empty, zeros, none, n] : rows) {
    sum += comma + 10 * slash + 100 * empty + 1000 * zeros + 10000 * n;
    EXPECT_EQ(none, std::nullopt);
  }
  EXPECT_EQ(sum, 54321);
}
TEST(Ndjson, FindsKeysOfAnyLetters) {
  const folder_of_files in;
  pattern = in.name("keys");
  in.write("keys", R"({"a,b":1,"/":{"~":2},"":3,"\u00e4":{"00":4},"l":[6,7],"n":5})");
  run_all(1, 1, keys_are_found);
}

// ---- long lines

task<void> counts_short_lines(pe_id) {
  auto rows = co_await ndjson<std::string>(pattern, "n", format);
  std::size_t count = 0;
  for (const auto& row : rows) {
    static_cast<void>(row);
    ++count;
  }
  const std::size_t all = co_await all_reduce(count, reduce::plus);
  const std::size_t skipped = co_await all_reduce(rows.skipped(), reduce::plus);
  EXPECT_EQ(all, expected.size());
  EXPECT_EQ(skipped, expected_skipped);
}
TEST(Ndjson, LeavesOutLinesThatAreTooLong) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {.skips_bad = true, .longest_record = 32};
    expected.clear();
    expected_skipped = 0;
    std::string text;
    for (auto n = random() % 30; n > 0; --n) {
      const std::string line = R"({"n":")" + std::string(random() % 50, 'x') + "\"}";
      if (line.size() <= format.longest_record) {
        expected.emplace_back();
      } else {
        ++expected_skipped;
      }
      text += line + '\n';
    }
    in.write("lines", random() % 4 == 0 ? packed_by_chance(text, random) : text);
    pattern = in.name("lines");
    for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, counts_short_lines);
  }
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;
task<void> a_line_without_end_is_said(pe_id) {
  const std::string said = co_await what_is_said<int>();
  const bool has_it = !format.skips_bad && this_pe() == 0;
  EXPECT_EQ(said, has_it ? pattern + ":2:1: the line is longer than 1048576 bytes" : "nothing");
}
TEST(Ndjson, WithoutALineFeedDoesNotFillTheMemory) {
  const folder_of_files in;
  pattern = in.name("endless");
  columns = "n";
  in.write("endless", "{\"n\":1}\n{\"n\":2");
  std::filesystem::resize_file(pattern, 64 * mebibyte);
  const most_memory used;
  for (const bool skips : {false, true}) {
    format = {.skips_bad = skips, .longest_record = mebibyte};
    for (const pe_id pes : {1, 3}) run_all(pes, 1, a_line_without_end_is_said);
  }
  EXPECT_LT(used.more_than_before(), may_take(16 * mebibyte));
}

// ---- what is JSON and what is not

std::vector<std::size_t> are_json;
task<void> has_what_is_json(pe_id) {
  auto rows = co_await ndjson<std::optional<std::string_view>>(pattern, "never there", format);
  std::size_t count = 0;
  for (const auto& row : rows) {
    static_cast<void>(row);
    ++count;
  }
  EXPECT_EQ(count, are_json.size());
  EXPECT_EQ(rows.skipped(), expected_skipped);
}
TEST(Ndjson, AgreesWithAnotherParserOnWhatIsJson) {
  static const std::vector<std::string> words = {"{",        "}",
                                                 "[",        "]",
                                                 ",",        ":",
                                                 "\"a\"",    "\"\\u00e4\"",
                                                 "\"",       "\\",
                                                 "\\\"",     "0",
                                                 "-1",       "2.5",
                                                 "1e3",      ".",
                                                 "e",        "+",
                                                 "true",     "false",
                                                 "null",     " ",
                                                 "\xc3\xa4", "\xa4",
                                                 "\t",       "\"\\ud83c\\udf3e\"",
                                                 "/",        "{\"b\":",
                                                 "[1,",      "\"c\":0,"};
  std::size_t json = 0;
  for (std::uint64_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    format = {.skips_bad = true};
    are_json.clear();
    expected_skipped = 0;
    std::string text;
    for (std::size_t i = 0; i < 1000; ++i) {
      std::string line;
      for (auto n = 1 + random() % 7; n > 0; --n) line += words[random() % words.size()];
      text += line + '\n';
      if (nlohmann::json::accept(line)) {
        are_json.push_back(i);
      } else if (line.find_first_not_of(" \t") != std::string::npos) {
        ++expected_skipped;
      }
    }
    json += are_json.size();
    in.write("lines", text);
    pattern = in.name("lines");
    run_all(1, seed, has_what_is_json);
  }
  EXPECT_GT(json, 1000U);
}

}  // namespace
}  // namespace tsubu::containers_test
