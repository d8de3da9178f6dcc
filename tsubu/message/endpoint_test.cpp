// Promise: packets are executed once, in the order they were sent, and never inside a send; batches leave
// when full, idle or before a bulk; every packet is counted; and what throws is told.
// Method: two endpoints in one thread over a transport that the test holds in its hands.
#include "tsubu/message/endpoint.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/two_endpoints.hpp"
#include "tsubu/message/ledger.hpp"

namespace tsubu::message {
namespace {

using namespace test;
using endpoint_test = two_endpoints;

TEST_F(endpoint_test, packets_are_executed_in_order) {
  strings wanted;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    a.send<number_handler>(1, i, long{i} * 2);
    wanted.push_back("0 " + std::to_string(i) + "," + std::to_string(2 * i));
  }
  EXPECT_TRUE(log_of_calls.empty());
  a.flush(flush_reason::idle);
  run_all(b);
  EXPECT_EQ(log_of_calls, wanted);
  EXPECT_EQ(a.sent(), 1000U);
  EXPECT_EQ(b.executed(), 1000U);
  EXPECT_EQ(a.counted().packets_sent, 1000U);
  EXPECT_EQ(b.counted().packets_executed, 1000U);
}

TEST_F(endpoint_test, packets_leave_alone_where_they_shall) {
  loopback others(3, 1024);
  others[0].send_each_packet_alone();
  endpoint alone(others[0]), one(others[1]), two(others[2]);
  for (int i = 0; i < 1000; ++i) {  // one after the other of a handler, to one PE and in turns, of every length
    alone.send<number_handler>(1 + (i / 10) % 2, 1U, long{i});
    alone.send<uncounted_handler>(1, 'a');
    alone.send<uncounted_handler>(1, 'b');
    alone.send<text_handler>(2, std::string(static_cast<std::size_t>(i) % 30, 't'));
    ASSERT_EQ(alone.counted().batches_sent, 4U * static_cast<std::uint64_t>(i) + 3) << "the last has not left";
  }
  alone.flush(flush_reason::idle);
  EXPECT_EQ(alone.counted().batches_sent, 4000U);
  run_all(one);
  run_all(two);
  EXPECT_EQ(log_of_calls.size(), 4000U);
}

TEST_F(endpoint_test, a_header_is_paid_once_a_run) {
  for (int i = 0; i < 10; ++i) a.send<number_handler>(1, 1U, 2L);
  for (int i = 0; i < 5; ++i) a.send<empty_handler>(1);
  a.flush(flush_reason::idle);
  EXPECT_EQ(a.counted().batches_sent, 1U);
  EXPECT_EQ(a.counted().bytes_sent, 8U + 10 * 12 + 8 + 5 * 1);
  run_all(b);
  EXPECT_EQ(log_of_calls.size(), 15U);
}

TEST_F(endpoint_test, why_batches_leave) {
  EXPECT_FALSE(a.flush(flush_reason::idle)) << "nothing was gathered";
  for (int i = 0; i < 200; ++i) a.send<number_handler>(1, 1U, 2L);  // 2,400 bytes
  EXPECT_EQ(a.counted().flushes[static_cast<int>(flush_reason::full)], 2U);
  EXPECT_TRUE(a.has_unsent());
  EXPECT_TRUE(a.flush(flush_reason::old));
  EXPECT_FALSE(a.has_unsent());
  a.send<empty_handler>(1);
  const std::vector<std::byte> bytes(10);
  a.send_bulk<bulk_handler>(1, {bytes}, 5U);
  EXPECT_EQ(a.counted().flushes[static_cast<int>(flush_reason::order)], 1U);
  EXPECT_EQ(a.counted().flushes[static_cast<int>(flush_reason::old)], 1U);
  EXPECT_EQ(a.counted().bulks_sent, 1U);
  run_all(b);
  EXPECT_EQ(b.executed(), a.sent());
}

TEST_F(endpoint_test, texts_and_large_packets_keep_the_order) {
  const std::array<char, 3000> large = [] {
    std::array<char, 3000> bytes{};
    bytes[2999] = '!';
    return bytes;
  }();
  const std::vector<std::byte> bytes(20'000, std::byte{7});
  strings wanted;
  for (int round = 0; round < 20; ++round) {
    a.send<text_handler>(1, std::string("short"));
    a.send<text_handler>(1, std::string(static_cast<std::size_t>(round) * 100, 'x'));
    a.send<number_handler>(1, 1U, 1L);
    a.send<large_handler>(1, large);
    a.send<text_handler>(1, std::string());
    a.send_bulk<bulk_handler>(1, {bytes}, 8U);
    a.send<list_handler>(
        1, std::vector<std::vector<std::uint16_t>>(3, std::vector<std::uint16_t>(static_cast<std::size_t>(round), 5)),
        'c');
    const auto size = static_cast<std::size_t>(round) * 100;
    for (const std::string& one :
         {std::string("short"), size > 40 ? std::to_string(size) : std::string(size, 'x'), std::string("1,1"),
          std::string("large !"), std::string(), std::string("bulk 20000 at 8"), std::string("3")}) {
      wanted.push_back("0 " + one);
    }
  }
  do {
    a.flush(flush_reason::idle);
    run_all(b);
    run(a);
  } while (a.has_waiting() || a.has_unsent() || wires.anything_waiting());
  EXPECT_EQ(log_of_calls, wanted);
  EXPECT_EQ(a.sent(), wanted.size());
  EXPECT_EQ(b.executed(), wanted.size());
  EXPECT_EQ(memory[8], std::byte{7});
}

TEST_F(endpoint_test, sends_to_the_own_pe) {
  std::vector<std::byte> bytes(100, std::byte{1});
  a.send<number_handler>(0, 1U, 2L);
  a.send_bulk<bulk_handler>(0, {bytes}, 0U);
  a.send<text_handler>(0, std::string(5000, 'x'));
  a.send<empty_handler>(0);
  EXPECT_TRUE(log_of_calls.empty()) << "nothing is executed inside a send";
  EXPECT_NE(memory[0], std::byte{1}) << "nor does a bulk land inside a send";
  a.flush(flush_reason::idle);
  EXPECT_TRUE(a.has_arrived());
  run_all(a);
  EXPECT_EQ(log_of_calls, (strings{"0 1,2", "0 bulk 100 at 0", "0 5000", "0 empty"}));
  EXPECT_EQ(memory[0], std::byte{1});
  EXPECT_EQ(a.sent(), a.executed());
  EXPECT_FALSE(a.has_arrived());
}

TEST_F(endpoint_test, the_source_of_a_bulk_is_told) {
  int told = 0;
  const std::vector<std::byte> bytes(50);
  auto tell = [](void* count) { ++*static_cast<int*>(count); };
  a.send_bulk<bulk_handler>(1, {bytes, tell, &told}, 0U);
  a.send_bulk<bulk_handler>(0, {bytes, tell, &told}, 0U);
  EXPECT_EQ(told, 0);
  run_all(b);
  EXPECT_EQ(told, 0) << "it hears of that when it polls";
  run_all(a);
  EXPECT_EQ(told, 2);
}

TEST_F(endpoint_test, control_is_not_counted) {
  a.send<uncounted_handler>(1, 'c');
  a.flush(flush_reason::idle);
  run_all(b);
  EXPECT_EQ(log_of_calls, (strings{"0 c"}));
  EXPECT_EQ(a.sent(), 0U);
  EXPECT_EQ(b.executed(), 0U);
  EXPECT_EQ(a.counted().packets_sent, 1U);
}

TEST_F(endpoint_test, what_throws_goes_to_the_hook) {
  static strings escaped;
  escaped.clear();
  b.set_escape_hook([](const wire::handler_entry& handler, std::exception_ptr e) {
    try {
      std::rethrow_exception(std::move(e));
    } catch (const std::exception& known) {
      escaped.push_back(known.what());
    }
    EXPECT_NE(wire::readable_name(handler).find("throwing_handler"), std::string::npos);
  });
  for (int i = 0; i < 6; ++i) a.send<throwing_handler>(1, i);
  a.flush(flush_reason::idle);
  run_all(b);
  EXPECT_EQ(escaped, (strings{"odd 1", "odd 3", "odd 5"}));
  EXPECT_EQ(log_of_calls, (strings{"0 0", "0 2", "0 4"})) << "the rest of the run is executed";
  EXPECT_EQ(b.executed(), 6U);
}

using endpoint_death = endpoint_test;

TEST_F(endpoint_death, an_exception_without_a_hook) {
  b.set_escape_hook(nullptr);
  a.send<throwing_handler>(1, 1);
  a.flush(flush_reason::idle);
  EXPECT_EXIT(run(b), ::testing::ExitedWithCode(1),
              "throwing_handler threw, and nobody waits for its reply: std::runtime_error: odd 1");
}

TEST_F(endpoint_death, no_such_pe) {
  const std::vector<std::byte> bytes(10);
  EXPECT_EXIT(a.send<empty_handler>(2), ::testing::ExitedWithCode(1),
              "a message for PE 2, but the job's PEs are 0 to 1");
  EXPECT_EXIT(a.send<empty_handler>(-1), ::testing::ExitedWithCode(1), "a message for PE -1");
  EXPECT_EXIT(a.send<text_handler>(9, std::string(5000, 'x')), ::testing::ExitedWithCode(1), "a message for PE 9");
  EXPECT_EXIT(a.send_bulk<bulk_handler>(77, {bytes}, 0U), ::testing::ExitedWithCode(1), "a message for PE 77");
}

}  // namespace
}  // namespace tsubu::message
