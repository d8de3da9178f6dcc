// Promise: the reader of requests finds the same requests however the bytes are cut, and whatever a stranger sends is a
// request or an error, within the limits; what a store holds stays within its bytes.
#include "apps/kv/resp.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "apps/kv/commands.hpp"
#include "apps/kv/store.hpp"

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

std::string executed(store& on, std::vector<std::string_view> request, std::int64_t now = 1) {
  std::string reply;
  execute(facts_of(request[0]).which, request, on, now, reply);
  return reply;
}

TEST(commands, set_has_conditions_and_times) {
  store on(1, 1 << 20);
  constexpr std::int64_t second = 1'000'000'000;
  EXPECT_EQ(executed(on, {"set", "k", "v", "XX"}), "$-1\r\n");
  EXPECT_EQ(executed(on, {"Set", "k", "v", "nx", "EX", "10"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "w", "NX"}), "$-1\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 10 * second), "$1\r\nv\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 10 * second + 1), "$-1\r\n");
  EXPECT_EQ(on.size(), 0U);
  EXPECT_EQ(executed(on, {"SET", "k", "7", "PX", "5"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"INCR", "k"}), ":8\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 5'000'001), "$-1\r\n");  // which keeps its time
  for (const std::string_view bad : {"0", "-1", "x", "99999999999999999999", "9223372036854775807"})
    EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", bad}).substr(0, 4), "-ERR") << bad;
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX"}), "-ERR syntax error\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "NX", "XX"}), "-ERR syntax error\r\n");
}

TEST(commands, incr_counts_up_to_the_last_number) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"INCR", "n"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"SET", "n", "9223372036854775806"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"INCR", "n"}), ":9223372036854775807\r\n");
  EXPECT_EQ(executed(on, {"INCR", "n"}), "-ERR increment or decrement would overflow\r\n");
  EXPECT_EQ(executed(on, {"SET", "n", "seven"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"INCR", "n"}), "-ERR value is not an integer or out of range\r\n");
}

TEST(store, holds_no_more_bytes_than_it_may) {
  store on(1, 10'000);
  const std::string large(8000, 'x');
  EXPECT_EQ(executed(on, {"SET", "a", large, "PX", "1"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "b", large}).substr(0, 5), "-OOM ");
  EXPECT_EQ(executed(on, {"SET", "a", "small", "PX", "1"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "a", large, "PX", "1"}), "+OK\r\n");
  // When its time is up there is room.
  EXPECT_EQ(executed(on, {"SET", "b", large}, 3'000'000'000), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "b", std::string(9900, 'x')}, 3'000'000'000).substr(0, 5), "-OOM ");
  EXPECT_EQ(executed(on, {"GET", "b"}, 3'000'000'000), "$8000\r\n" + large + "\r\n");
  EXPECT_LE(on.bytes(), 10'000U);
  on.clear();
  EXPECT_EQ(on.bytes(), 0U);
}

}  // namespace
}  // namespace kv
