// Promise: the reader of requests finds the same requests however the bytes are cut, and whatever a stranger sends is a
// request or an error, within the limits.
#include "apps/kv/resp.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace kv {
namespace {

using found = request_reader::found;

struct reading {
  std::vector<std::vector<std::string>> requests;
  std::string trouble;  // "": none
  bool operator==(const reading&) const = default;
};

// As a server reads: what comes is added to what is left, and complete requests are taken away.
reading read_in_pieces(const std::vector<std::string>& pieces, const request_limits& most = {}) {
  reading all;
  request_reader reader(most);
  std::string left;
  for (const std::string& piece : pieces) {
    left += piece;
    for (;;) {
      const std::string copy = left;  // at another place each time, and no byte behind it
      const found what = reader.read(copy);
      if (what == found::more_is_needed) break;
      if (what == found::broken) {
        all.trouble = reader.trouble();
        return all;
      }
      all.requests.emplace_back(reader.words().begin(), reader.words().end());
      left.erase(0, reader.size());
    }
  }
  return all;
}

reading read_whole(const std::string& bytes, const request_limits& most = {}) { return read_in_pieces({bytes}, most); }

TEST(resp, requests_are_the_same_wherever_they_are_cut) {
  std::string bytes = "*3\r\n$3\r\nSET\r\n$5\r\na\r\n";
  bytes += '\0';
  bytes +=
      "b\r\n$0\r\n\r\nPING\r\n*1\r\n$4\r\nPING\r\n\r\n  get  key "
      "\n*0\r\n*-1\r\n*2\r\n$3\r\nGET\r\n$13\r\n*2\r\n$1\r\nxyz\r\n\r\n";
  const reading whole = read_whole(bytes);
  const std::vector<std::vector<std::string>> wanted{
      {"SET", std::string("a\r\n\0b", 5), ""}, {"PING"}, {"PING"}, {}, {"get", "key"}, {}, {},
      {"GET", "*2\r\n$1\r\nxyz\r\n"}};
  EXPECT_EQ(whole.trouble, "");
  EXPECT_EQ(whole.requests, wanted);
  for (std::size_t a = 0; a <= bytes.size(); ++a) {
    for (std::size_t b = a; b <= bytes.size(); b += 7) {
      EXPECT_EQ(read_in_pieces({bytes.substr(0, a), bytes.substr(a, b - a), bytes.substr(b)}), whole)
          << "cut at " << a << " and " << b;
    }
  }
  std::vector<std::string> bytes_alone;
  for (const char c : bytes) bytes_alone.emplace_back(1, c);
  EXPECT_EQ(read_in_pieces(bytes_alone), whole);
}

TEST(resp, what_is_no_request_is_told) {
  const request_limits most{.word_bytes = 100, .words = 10, .request_bytes = 500};
  const std::string word = "$100\r\n" + std::string(100, 'x') + "\r\n";
  for (const auto& [bytes, trouble] : std::vector<std::pair<std::string, std::string>>{
           {"*x\r\n", "invalid multibulk length"},
           {"*1 \r\n", "invalid multibulk length"},
           {"*\r\n", "invalid multibulk length"},
           {"*1\n", "invalid multibulk length"},
           {"*\n", "invalid multibulk length"},
           {"*11\r\n", "invalid multibulk length"},
           {"*99999999999999999999\r\n", "invalid multibulk length"},
           {"*" + std::string(40, '1'), "invalid multibulk length"},
           {"*1\r\nGET\r\n", "expected '$', got 'G'"},
           {"*1\r\n$101\r\n", "invalid bulk length"},
           {"*1\r\n$-1\r\n", "invalid bulk length"},
           {"*1\r\n$\r\n", "invalid bulk length"},
           {"*1\r\n$3\r\nPINGS\r\n", "expected the end of a bulk"},
           {"*6\r\n" + word + word + word + word + word, "too big request"},
           {std::string(65536, 'x'), "too big inline request"}}) {
    const reading all = read_whole(bytes, most);
    EXPECT_EQ(all.trouble, "Protocol error: " + trouble) << bytes.substr(0, 40);
    EXPECT_TRUE(all.requests.empty());
  }
  EXPECT_EQ(read_whole("*4\r\n" + word + word + word + word, most).requests.size(), 1U);
}

TEST(resp, garbage_is_a_request_or_an_error_and_the_same_in_pieces) {
  std::mt19937_64 random(11);
  const std::string common = "*$\r\n0123456789-GETSab \0\xff";
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = random() % 2 == 0 ? "*2\r\n$3\r\nGET\r\n$2\r\nab\r\n*1\r\n$4\r\nPING\r\n" : "";
    const std::size_t changes = random() % 8;
    for (std::size_t i = 0; i < changes; ++i) {
      const char c = common[random() % common.size()];
      if (bytes.empty() || random() % 2 == 0) {
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(random() % (bytes.size() + 1)), c);
      } else {
        bytes[random() % bytes.size()] = c;
      }
    }
    const request_limits most{.word_bytes = 64, .words = 8, .request_bytes = 256};
    const reading whole = read_whole(bytes, most);
    std::vector<std::string> bytes_alone;
    for (const char c : bytes) bytes_alone.emplace_back(1, c);
    EXPECT_EQ(read_in_pieces(bytes_alone, most), whole) << "round " << round;
    std::size_t words = 0;
    for (const auto& request : whole.requests) words += request.size();
    EXPECT_LE(words, bytes.size());
  }
}

TEST(resp, a_request_that_is_written_is_read) {
  const std::string_view request[] = {"SET", "", "a\r\n$3\r\n"};
  const reading whole = read_whole(as_request(request));
  ASSERT_EQ(whole.requests.size(), 1U);
  EXPECT_EQ(whole.requests[0], (std::vector<std::string>{"SET", "", "a\r\n$3\r\n"}));
}

TEST(resp, an_error_is_one_line) {
  std::string reply;
  add_error(reply, "ERR unknown command 'a\r\n+OK'");
  EXPECT_EQ(reply, "-ERR unknown command 'a  +OK'\r\n");
}

TEST(resp, words_of_a_line_may_stand_in_quotes) {
  const auto words_of = [](const std::string& line) { return read_whole(line + "\r\n"); };
  const auto word = [&](const std::string& line) {
    const reading whole = words_of(line);
    return whole.requests.size() == 1 && whole.requests[0].size() == 1 ? whole.requests[0][0]
                                                                       : "none: " + whole.trouble;
  };
  EXPECT_EQ(words_of("SET q \"\"").requests, (std::vector<std::vector<std::string>>{{"SET", "q", ""}}));
  EXPECT_EQ(words_of("\tSET\v'a b' \"c d\" ").requests, (std::vector<std::vector<std::string>>{{"SET", "a b", "c d"}}));
  EXPECT_EQ(word(R"("\x41\x0a\xfF\x4\xg0")"), "A\n\xffx4xg0");
  EXPECT_EQ(word(R"("\n\r\t\b\a\\\"\'\q")"), "\n\r\t\b\a\\\"'q");
  EXPECT_EQ(word(R"('\n\'\x41"')"), "\\n'\\x41\"");
  EXPECT_EQ(word(R"(a\n)"), "a\\n");
  EXPECT_EQ(word(R"(begin"a b")"), "begina b");
  EXPECT_EQ(word(std::string("a\0b", 3)), std::string("a\0b", 3));
  for (const char* const bad : {"SET q \"abc", "SET q 'abc", "\"", "'", "\"a\"b", "'a'b", "'a'\"b\"", R"("a\")",
                                R"('a\')", R"("a\)", R"("\x4)"}) {
    EXPECT_EQ(words_of(bad).trouble, "Protocol error: unbalanced quotes in request") << bad;
    EXPECT_TRUE(words_of(bad).requests.empty()) << bad;
  }
}

}  // namespace
}  // namespace kv
