// Promise: each command of keys changes a store and replies as the protocol's own server does (redis-server 7.0.15; its
// words are these), and what a store holds stays within its bytes.
#include "apps/kv/commands.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tsubu/base/random.hpp"

namespace kv {
namespace {

constexpr std::int64_t second = 1000;

std::string executed(store& on, std::vector<std::string_view> request, std::int64_t now = 1,
                     protocol as = protocol::resp2) {
  const command_facts& facts = facts_of(request[0]);
  std::string reply = trouble_with(facts, request);
  if (!reply.empty()) return reply;
  if (facts.whom == asks::itself) {
    answer(facts.which, request, as, reply);
  } else {
    execute(facts.which, request, on, now, as, reply);
  }
  return reply;
}

TEST(commands, set_has_conditions_and_times) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"set", "k", "v", "XX"}), "$-1\r\n");
  EXPECT_EQ(executed(on, {"Set", "k", "v", "nx", "EX", "10"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "w", "NX"}), "$-1\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 10 * second + 1), "$1\r\nv\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 10 * second + 2), "$-1\r\n");
  EXPECT_EQ(on.size(), 0U);
  EXPECT_EQ(executed(on, {"SET", "k", "7", "PX", "5"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"INCR", "k"}), ":8\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 7), "$-1\r\n");  // which keeps its time
  for (const std::string_view bad : {"0", "-1", "x", "99999999999999999999", "9223372036854775807"})
    EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", bad}).substr(0, 4), "-ERR") << bad;
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX"}), "-ERR syntax error\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "NX", "XX"}), "-ERR syntax error\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", "1", "KEEPTTL"}), "-ERR syntax error\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", "1", "PX", "1"}), "-ERR syntax error\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "PXAT", "x", "PXAT", "9000"}), "+OK\r\n");  // the last of a kind counts
}

TEST(commands, times_may_lie_as_far_ahead_as_milliseconds_can_count) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", "2305843010"}), "+OK\r\n");  // 73 years
  EXPECT_EQ(executed(on, {"TTL", "k"}), ":2305843010\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", "9223372036854775"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", "9223372036854775"}, 1000),
            "-ERR invalid expire time in 'set' command\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "EX", "9223372036854776"}), "-ERR invalid expire time in 'set' command\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "9223372036854776"}), "-ERR invalid expire time in 'expire' command\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "-9223372036854776"}), "-ERR invalid expire time in 'expire' command\r\n");
  EXPECT_EQ(executed(on, {"PEXPIRE", "k", "9223372036854775807"}), "-ERR invalid expire time in 'pexpire' command\r\n");
  EXPECT_EQ(executed(on, {"PEXPIREAT", "k", "9223372036854775807"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"PEXPIRETIME", "k"}), ":9223372036854775807\r\n");
  EXPECT_EQ(executed(on, {"PEXPIREAT", "k", "-9223372036854775808"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"EXISTS", "k"}), ":0\r\n");
}

TEST(commands, set_may_keep_the_time_and_give_the_old_value) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"SET", "k", "v", "PXAT", "9000", "GET"}), "$-1\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "w", "KEEPTTL", "GET"}), "$1\r\nv\r\n");
  EXPECT_EQ(executed(on, {"PEXPIRETIME", "k"}), ":9000\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "x", "NX", "GET"}), "$1\r\nw\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "x"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"TTL", "k"}), ":-1\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "y", "EXAT", "1"}, 2 * second), "+OK\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 2 * second), "$-1\r\n");
  EXPECT_EQ(executed(on, {"SETEX", "k", "5", "v"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"PTTL", "k"}), ":5000\r\n");
  EXPECT_EQ(executed(on, {"PSETEX", "k", "0", "v"}), "-ERR invalid expire time in 'psetex' command\r\n");
  EXPECT_EQ(executed(on, {"SETNX", "k", "w"}), ":0\r\n");
  EXPECT_EQ(executed(on, {"GETDEL", "k"}), "$1\r\nv\r\n");
  EXPECT_EQ(executed(on, {"SETNX", "k", "wide"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"STRLEN", "k"}), ":4\r\n");
}

TEST(commands, keys_go_when_they_are_told_to) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "10"}), ":0\r\n");
  EXPECT_EQ(executed(on, {"TTL", "k"}), ":-2\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"TTL", "k"}), ":-1\r\n");
  EXPECT_EQ(executed(on, {"PERSIST", "k"}), ":0\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "10"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"PTTL", "k"}, 2501), ":7500\r\n");
  EXPECT_EQ(executed(on, {"TTL", "k"}, 2501), ":8\r\n");
  EXPECT_EQ(executed(on, {"TTL", "k"}, 2502), ":7\r\n");
  EXPECT_EQ(executed(on, {"EXPIRETIME", "k"}), ":10\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "20", "NX"}), ":0\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "5", "GT"}), ":0\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "20", "XX", "GT"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "30", "LT"}), ":0\r\n");
  EXPECT_EQ(executed(on, {"PERSIST", "k"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "30", "GT"}), ":0\r\n");  // never is later
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "30", "LT"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "1", "NX", "GT"}),
            "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "1", "soon"}), "-ERR Unsupported option soon\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "01"}), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(executed(on, {"PEXPIRE", "k", "3"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 4), "$1\r\nv\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 5), "$-1\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"EXPIRE", "k", "0"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"EXISTS", "k"}), ":0\r\n");
}

TEST(commands, incr_and_its_family_count_whole_numbers) {
  store on(1, 1 << 20);
  const std::string no_number = "-ERR value is not an integer or out of range\r\n";
  EXPECT_EQ(executed(on, {"INCR", "n"}), ":1\r\n");
  EXPECT_EQ(executed(on, {"INCRBY", "n", "41"}), ":42\r\n");
  EXPECT_EQ(executed(on, {"DECR", "n"}), ":41\r\n");
  EXPECT_EQ(executed(on, {"DECRBY", "n", "-1"}), ":42\r\n");
  EXPECT_EQ(executed(on, {"DECRBY", "n", "-9223372036854775808"}), "-ERR decrement would overflow\r\n");
  EXPECT_EQ(executed(on, {"SET", "n", "9223372036854775806"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"INCR", "n"}), ":9223372036854775807\r\n");
  EXPECT_EQ(executed(on, {"INCR", "n"}), "-ERR increment or decrement would overflow\r\n");
  EXPECT_EQ(executed(on, {"SET", "n", "-9223372036854775808"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"DECR", "n"}), "-ERR increment or decrement would overflow\r\n");
  for (const std::string_view bad : {"seven", "01", "+1", "-0", "-01", " 1", "1 ", "", "-", "9223372036854775808"}) {
    EXPECT_EQ(executed(on, {"SET", "n", bad}), "+OK\r\n");
    EXPECT_EQ(executed(on, {"INCR", "n"}), no_number) << bad;
    EXPECT_EQ(executed(on, {"INCRBY", "new", bad}), no_number) << bad;
  }
  EXPECT_EQ(executed(on, {"EXISTS", "new"}), ":0\r\n");
}

TEST(commands, incrbyfloat_counts_parts) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"INCRBYFLOAT", "x", "10.50"}), "$4\r\n10.5\r\n");
  EXPECT_EQ(executed(on, {"INCRBYFLOAT", "x", "0.1"}), "$4\r\n10.6\r\n");
  EXPECT_EQ(executed(on, {"INCRBYFLOAT", "x", "-1.06e1"}), "$1\r\n0\r\n");
  EXPECT_EQ(executed(on, {"INCRBYFLOAT", "x", "5e3"}), "$4\r\n5000\r\n");
  for (const std::string_view bad : {"one", "nan", " 1", "1 ", ""})
    EXPECT_EQ(executed(on, {"INCRBYFLOAT", "x", bad}), "-ERR value is not a valid float\r\n") << bad;
  EXPECT_EQ(executed(on, {"INCRBYFLOAT", "x", "inf"}), "-ERR increment would produce NaN or Infinity\r\n");
}

TEST(commands, what_is_absent_is_null_in_both_versions) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"GET", "k"}, 1, protocol::resp2), "$-1\r\n");
  EXPECT_EQ(executed(on, {"GET", "k"}, 1, protocol::resp3), "_\r\n");
  EXPECT_EQ(executed(on, {"SET", "k", "v", "XX"}, 1, protocol::resp3), "_\r\n");
  EXPECT_EQ(executed(on, {"CONFIG", "GET", "save"}, 1, protocol::resp3), "%1\r\n$4\r\nsave\r\n$0\r\n\r\n");
  EXPECT_EQ(executed(on, {"CONFIG", "GET", "save"}, 1, protocol::resp2), "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
}

TEST(commands, what_cannot_be_executed_is_told) {
  store on(1, 1 << 20);
  EXPECT_EQ(executed(on, {"nonsense", "x", "y"}), "ERR unknown command 'nonsense', with args beginning with: 'x' 'y' ");
  EXPECT_EQ(executed(on, {"GET"}), "ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(executed(on, {"MSET", "a", "1", "b"}), "ERR wrong number of arguments for 'mset' command");
  for (const std::string_view name : {"SUBSCRIBE", "psubscribe", "PUBLISH"})
    EXPECT_NE(executed(on, {name, "x"}).find("kv has no publish and subscribe"), std::string::npos) << name;
  EXPECT_NE(executed(on, {"WATCH", "k"}).find("WATCH is not supported"), std::string::npos);
  EXPECT_EQ(executed(on, {"SELECT", "1"}), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(executed(on, {"SELECT", "00"}), "-ERR value is not an integer or out of range\r\n");
}

TEST(commands, command_describes_as_many_as_it_counts) {
  store on(1, 1 << 20);
  const std::string count = executed(on, {"COMMAND", "COUNT"});
  EXPECT_EQ(executed(on, {"COMMAND", "LIST"}).substr(1, 4), count.substr(1, 4));
  EXPECT_EQ(executed(on, {"COMMAND"}).substr(1, 4), count.substr(1, 4));
  EXPECT_EQ(executed(on, {"COMMAND", "INFO", "get", "nonsense"}),
            "*2\r\n*10\r\n$3\r\nget\r\n:2\r\n*1\r\n+readonly\r\n:1\r\n:1\r\n:1\r\n*0\r\n*0\r\n*0\r\n*0\r\n*-1\r\n");
}

TEST(store, holds_no_more_bytes_than_it_may) {
  store on(1, 10'000);
  const std::string large(8000, 'x');
  EXPECT_EQ(executed(on, {"SET", "a", large, "PX", "1"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "b", large}).substr(0, 5), "-OOM ");
  EXPECT_EQ(executed(on, {"SET", "a", "small", "PX", "1"}), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "a", large, "PX", "1"}), "+OK\r\n");
  // When its time is up there is room.
  EXPECT_EQ(executed(on, {"SET", "b", large}, 3), "+OK\r\n");
  EXPECT_EQ(executed(on, {"SET", "b", std::string(9900, 'x')}, 3).substr(0, 5), "-OOM ");
  EXPECT_EQ(executed(on, {"GET", "b"}, 3), "$8000\r\n" + large + "\r\n");
  EXPECT_LE(on.bytes(), 10'000U);
  on.clear();
  EXPECT_EQ(on.bytes(), 0U);
}

TEST(store, times_have_their_place_in_its_bytes) {
  store on(1, 10'000);
  std::string key = "a";
  while (executed(on, {"SET", key, "v"}) == "+OK\r\n") key += 'a';
  EXPECT_EQ(executed(on, {"EXPIRE", "a", "10"}).substr(0, 5), "-OOM ");
  EXPECT_EQ(executed(on, {"TTL", "a"}), ":-1\r\n");
  EXPECT_EQ(executed(on, {"DEL", "aaa"}), ":1\r\n");
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(executed(on, {"PEXPIRE", "a", "1000"}, i), ":1\r\n");
  EXPECT_EQ(on.expiring(), 1U);
  EXPECT_LE(on.bytes(), 10'000U);
}

TEST(store, what_is_over_is_removed_a_few_at_a_time) {
  store on(1, 1 << 20);
  for (int i = 0; i < 100; ++i) {
    const std::string key = std::to_string(i);
    on.set(key, "v", i < 90 ? 10 + i % 3 : 1000, 1);
  }
  on.set("stays", "v", store::never, 1);
  EXPECT_FALSE(on.remove_expired(10, 1000));
  EXPECT_EQ(on.size(), 101U);
  EXPECT_TRUE(on.remove_expired(11, 20));
  EXPECT_EQ(on.size(), 81U);
  EXPECT_FALSE(on.remove_expired(11, 20));
  EXPECT_EQ(on.size(), 71U);
  EXPECT_FALSE(on.remove_expired(100, 1000));
  EXPECT_EQ(on.size(), 11U);
  EXPECT_EQ(on.expiring(), 10U);
}

// Against what is plain to see: a list of keys with their times.
TEST(store, keeps_its_times_in_step_with_its_keys) {
  const std::uint64_t seed = tsubu::fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  store on(1, 1 << 20);
  std::unordered_map<std::string, std::int64_t> wanted;
  std::int64_t now = 1;
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = std::to_string(random() % 50);
    const std::int64_t time = random() % 3 == 0 ? store::never : now + 1 + static_cast<std::int64_t>(random() % 40);
    const bool there = wanted.contains(key);
    EXPECT_EQ(on.find(key, now) != nullptr, there) << key;
    if (const auto what = random() % 4; what == 0) {
      EXPECT_EQ(on.remove(key, now), there);
      wanted.erase(key);
    } else if (what == 1 && there) {
      EXPECT_TRUE(on.set_expiry(key, time));
      wanted[key] = time;
    } else if (what == 2) {
      EXPECT_TRUE(on.set(key, std::string(random() % 100, 'v'), time, now));
      wanted[key] = time;
    } else {
      now += static_cast<std::int64_t>(random() % 10);
      std::erase_if(wanted, [&](const auto& one) { return one.second != store::never && one.second < now; });
      if (random() % 2 == 0) on.remove_expired(now, 5);
    }
  }
  on.remove_expired(now, 1000);
  EXPECT_EQ(on.size(), wanted.size());
  for (const auto& [key, time] : wanted) {
    ASSERT_NE(on.find(key, now), nullptr);
    EXPECT_EQ(on.expiry(key), time);
    on.remove(key, now);
  }
  EXPECT_EQ(on.bytes(), 0U);
  EXPECT_EQ(on.expiring(), 0U);
}

}  // namespace
}  // namespace kv
