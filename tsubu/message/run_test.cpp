// Promise: packets may be written where they leave from, many at a time, and a handler may take all packets of a run at
// once; a PE knows whether all that it has sent to itself has been executed.
// Method: two endpoints in one thread over a transport that the test holds in its hands.
#include <gtest/gtest.h>

#include <string>

#include "tests/loopback.hpp"
#include "tsubu/message/handler.hpp"

namespace tsubu::message {
namespace {

using strings = std::vector<std::string>;
strings log_of_calls;
void note(const delivery& d, const std::string& what) { log_of_calls.push_back(std::to_string(d.from) + " " + what); }

struct first_handler {
  using layout = wire::layout<>;
  static void call(const delivery& d) { note(d, "first"); }
};
struct run_handler {
  using layout = wire::layout<std::uint64_t>;
  static void call(const delivery& d, std::uint64_t n) { note(d, "alone " + std::to_string(n)); }
  static void run(const delivery& d, const std::byte* begin, const std::byte* end) {
    note(d, "run of " + std::to_string((end - begin) / 8));
    for (; begin != end; begin += 8) note(d, std::to_string(wire::load<std::uint64_t>(begin)));
  }
};
bool quiet_in_handler = true;
struct asking_handler {
  using layout = wire::layout<>;
  static void call(const delivery&) { quiet_in_handler = this_endpoint->nothing_for_itself(); }
};

class run_test : public ::testing::Test {
 protected:
  run_test() : wires(2), a(wires[0]), b(wires[1]) { log_of_calls.clear(); }
  ~run_test() override { this_endpoint = nullptr; }

  static bool run(endpoint& e) {
    this_endpoint = &e;
    return e.run_arrived();
  }

  test::loopback wires;
  endpoint a;
  endpoint b;
};

TEST_F(run_test, packets_are_written_where_they_leave_from) {
  strings wanted;
  std::uint64_t next = 0;
  a.send<first_handler>(1);
  wanted.emplace_back("0 first");
  // A batch of 1,024 bytes has room for 125 behind that; the next one for 127.
  for (const std::size_t expected : {10U, 1U, 114U, 127U, 3U}) {
    const std::size_t most = expected == 10 || expected == 1 || expected == 3 ? expected : 1000;
    const std::span<std::byte> room = a.send_in_place<run_handler>(1, most);
    ASSERT_EQ(room.size(), 8 * expected);
    for (std::byte* at = room.data(); at != room.data() + room.size(); at += 8) wire::store(at, next++);
  }
  a.send<run_handler>(1, next++);
  a.flush(flush_reason::idle);
  for (const auto& [first, end] : {std::pair{0U, 125U}, {125U, 252U}, {252U, 256U}}) {
    wanted.push_back("0 run of " + std::to_string(end - first));
    for (unsigned n = first; n < end; ++n) wanted.push_back("0 " + std::to_string(n));
  }
  while (run(b)) continue;
  EXPECT_EQ(log_of_calls, wanted);
  EXPECT_EQ(a.sent(), 257U);
  EXPECT_EQ(b.executed(), 257U);
}

TEST_F(run_test, nothing_for_itself) {
  EXPECT_TRUE(a.nothing_for_itself());
  a.send<first_handler>(1);
  EXPECT_TRUE(a.nothing_for_itself()) << "what is for others does not count";
  a.send<asking_handler>(0);
  EXPECT_FALSE(a.nothing_for_itself()) << "it has an open batch";
  a.flush(flush_reason::idle);
  EXPECT_FALSE(a.nothing_for_itself()) << "it has not been executed";
  run(a);
  EXPECT_FALSE(quiet_in_handler) << "more of the batch may follow";
  EXPECT_TRUE(a.nothing_for_itself());
}

}  // namespace
}  // namespace tsubu::message
