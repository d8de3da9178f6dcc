// Promise: a transaction that is dealt out to PEs, executed there and put together again replies as one store would
// that executes all of its requests, on any number of PEs; and its replies are bounded.
#include "apps/kv/transaction.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tsubu/base/random.hpp"

namespace kv {
namespace {

using request = std::vector<std::string>;

std::string text_of(const std::vector<request>& requests) {
  std::string text;
  for (const request& one : requests) {
    const std::vector<std::string_view> words(one.begin(), one.end());
    text += as_request(words);
  }
  return text;
}

// The stores of a job, without the job.
class stores {
 public:
  explicit stores(std::size_t pes) {
    while (all_.size() < pes) all_.push_back(std::make_unique<store>(1, 1 << 20));
  }

  std::string execute(const std::vector<request>& requests, protocol as = protocol::resp2, bool as_array = true,
                      std::size_t most_bytes = 1 << 20) {
    const std::string text = text_of(requests);
    const owner_function owner = [this](std::string_view key) { return hash_of(key, 3) % all_.size(); };
    const std::vector<std::string> parts = parts_of(text, all_.size(), owner);
    std::vector<std::vector<std::string>> answers;
    for (std::size_t i = 0; i < parts.size(); ++i)
      answers.push_back(execute_part(parts[i], *all_[i], 1, as, most_bytes));
    return joined(text, answers, owner, as, most_bytes, as_array);
  }

 private:
  std::vector<std::unique_ptr<store>> all_;
};

TEST(transaction, replies_come_in_the_order_of_its_requests) {
  stores on(3);
  EXPECT_EQ(on.execute({}), "*0\r\n");
  EXPECT_EQ(on.execute({{"MSET", "a", "1", "b", "2", "c", "3", "d", "4"}}, protocol::resp2, false), "+OK\r\n");
  EXPECT_EQ(on.execute({{"MGET", "d", "none", "a", "c", "b"}}),
            "*1\r\n*5\r\n$1\r\n4\r\n$-1\r\n$1\r\n1\r\n$1\r\n3\r\n$1\r\n2\r\n");
  EXPECT_EQ(
      on.execute({{"INCR", "a"}, {"PING"}, {"DEL", "a", "b", "none"}, {"DBSIZE"}, {"GET", "a"}, {"INCRBY", "c", "x"}},
                 protocol::resp3),
      "*6\r\n:2\r\n+PONG\r\n:2\r\n:2\r\n_\r\n-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(on.execute({{"EXISTS", "c", "d", "c"}, {"FLUSHALL"}, {"EXISTS", "c", "d"}, {"DBSIZE"}}),
            "*4\r\n:3\r\n+OK\r\n:0\r\n:0\r\n");
}

TEST(transaction, an_error_in_it_stops_nothing) {
  stores on(2);
  EXPECT_EQ(on.execute({{"SET", "k", "x"}, {"INCR", "k"}, {"SET", "k", "1"}, {"INCR", "k"}}),
            "*4\r\n+OK\r\n-ERR value is not an integer or out of range\r\n+OK\r\n:2\r\n");
  const std::string large(800'000, 'v');
  const std::string reply =
      on.execute({{"MSET", "a", large, "b", large, "c", large, "d", large}}, protocol::resp2, false);
  EXPECT_EQ(reply.substr(0, 5), "-OOM ");
}

TEST(transaction, replies_on_several_pes_are_those_on_one) {
  const std::uint64_t seed = tsubu::fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto key = [&] { return std::string(1, static_cast<char>('a' + random() % 12)); };
  stores one(1), three(3), five(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<request> requests;
    for (auto i = random() % 12; i > 0; --i) {
      const std::vector<request> all{{"SET", key(), std::to_string(random() % 9)},
                                     {"INCRBY", key(), "2"},
                                     {"GET", key()},
                                     {"MGET", key(), key(), key()},
                                     {"MSET", key(), "1", key(), "x"},
                                     {"DEL", key(), key()},
                                     {"EXISTS", key(), key()},
                                     {"EXPIRE", key(), "10"},
                                     {"PTTL", key()},
                                     {"DBSIZE"},
                                     {"ECHO", key()}};
      requests.push_back(all[random() % all.size()]);
    }
    const std::string wanted = one.execute(requests);
    ASSERT_EQ(three.execute(requests), wanted) << text_of(requests);
    ASSERT_EQ(five.execute(requests), wanted) << text_of(requests);
  }
}

TEST(transaction, long_replies_are_bounded_and_short_ones_kept) {
  stores on(2);
  std::vector<request> requests{{"SET", "k", std::string(1000, 'v')}};
  requests.insert(requests.end(), 1000, {"GET", "k"});
  requests.insert(requests.end(), 1000, {"COMMAND"});
  requests.push_back({"SET", "done", "1"});
  const std::string reply = on.execute(requests, protocol::resp2, true, 10'000);
  EXPECT_LT(reply.size(), 200'000U);
  EXPECT_NE(reply.find("-ERR the replies of this transaction are too long\r\n"), std::string::npos);
  EXPECT_TRUE(reply.ends_with("\r\n+OK\r\n"));
}

}  // namespace
}  // namespace kv
