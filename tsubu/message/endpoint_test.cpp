// Promise: packets are executed once, in the order they were sent, and never inside a send; batches leave
// when full, idle or before a bulk; every packet is counted; what throws is told; and bytes that no correct
// PE sends end the job with a line that says what was wrong with them, whatever they are.
// Method: two endpoints in one thread over a transport that the test holds in its hands.
#include "tsubu/message/endpoint.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/loopback.hpp"
#include "tsubu/message/handler.hpp"

namespace tsubu::message {
namespace {

using test::loopback;
using strings = std::vector<std::string>;

strings log_of_calls;

void note(const delivery& d, const std::string& what) { log_of_calls.push_back(std::to_string(d.from) + " " + what); }

struct number_handler {
  using layout = wire::layout<std::uint32_t, long>;
  static void call(const delivery& d, std::uint32_t a, long b) { note(d, std::to_string(a) + "," + std::to_string(b)); }
};
struct text_handler {
  using layout = wire::layout<std::string>;
  static void call(const delivery& d, std::string s) { note(d, s.size() > 40 ? std::to_string(s.size()) : s); }
};
struct list_handler {
  using layout = wire::layout<std::vector<std::vector<std::uint16_t>>, char>;
  static void call(const delivery& d, std::vector<std::vector<std::uint16_t>> v, char) {
    note(d, std::to_string(v.size()));
  }
};
struct empty_handler {
  using layout = wire::layout<>;
  static void call(const delivery& d) { note(d, "empty"); }
};
struct uncounted_handler {
  static constexpr bool counted = false;
  using layout = wire::layout<char>;
  static void call(const delivery& d, char c) { note(d, std::string(1, c)); }
};
struct large_handler {
  using layout = wire::layout<std::array<char, 3000>>;
  static void call(const delivery& d, std::array<char, 3000> a) { note(d, std::string("large ") + a[2999]); }
};
struct throwing_handler {
  using layout = wire::layout<int>;
  static void call(const delivery& d, int n) {
    if (n % 2 == 1) throw std::runtime_error("odd " + std::to_string(n));
    note(d, std::to_string(n));
  }
};
std::byte memory[100'000];
struct bulk_handler {
  using layout = wire::layout<std::uint32_t>;
  static std::byte* place(const delivery& d, std::uint32_t offset) {
    if (offset > sizeof memory || d.bulk_bytes > sizeof memory - offset) fail("a bulk beyond its memory");
    return memory + offset;
  }
  static void call(const delivery& d, std::uint32_t offset) {
    note(d, "bulk " + std::to_string(d.bulk_bytes) + " at " + std::to_string(offset));
  }
};

class endpoint_test : public ::testing::Test {
 protected:
  explicit endpoint_test(int hops = 1) : wires(2, 1024, hops), a(wires[0]), b(wires[1]) { log_of_calls.clear(); }
  ~endpoint_test() override { this_endpoint = nullptr; }

  static bool run(endpoint& e) {
    this_endpoint = &e;
    return e.run_arrived();
  }
  static void run_all(endpoint& e) {
    while (run(e)) continue;
  }

  loopback wires;
  endpoint a;
  endpoint b;
};

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
  EXPECT_TRUE(a.has_own());
  run_all(a);
  EXPECT_EQ(log_of_calls, (strings{"0 1,2", "0 bulk 100 at 0", "0 5000", "0 empty"}));
  EXPECT_EQ(memory[0], std::byte{1});
  EXPECT_EQ(a.sent(), a.executed());
  EXPECT_FALSE(a.has_own());
}

TEST_F(endpoint_test, the_source_of_a_bulk_is_told) {
  int told = 0;
  const std::vector<std::byte> bytes(50);
  auto tell = [](void* count) { ++*static_cast<int*>(count); };
  a.send_bulk<bulk_handler>(1, {bytes, tell, &told}, 0U);
  a.send_bulk<bulk_handler>(0, {bytes, tell, &told}, 0U);
  EXPECT_EQ(told, 0);
  run_all(b);
  EXPECT_EQ(told, 1);
  run_all(a);
  EXPECT_EQ(told, 2);
}

std::vector<std::vector<int>> looked_at;  // by packet: at which packet's execution each stage was asked
int executed_now = -1;

struct looking_ahead {
  using layout = wire::layout<std::uint32_t>;
  static constexpr int stages = 2;
  static const void* address(int stage, std::uint32_t n) {
    if (n >= looked_at.size()) looked_at.resize(n + 1);
    if (n != 0) {
      EXPECT_EQ(looked_at[n].size(), static_cast<std::size_t>(stage)) << "packet " << n;
    }
    looked_at[n].push_back(executed_now);
    return &looked_at[n];
  }
  static void call(const delivery&, std::uint32_t n) {
    executed_now = static_cast<int>(n);
    if (n % 50 == 49) throw std::runtime_error("every fiftieth");
  }
};

TEST_F(endpoint_test, a_run_is_looked_at_ahead) {
  static int escaped;
  escaped = 0;
  b.set_escape_hook([](const wire::handler_entry&, std::exception_ptr) { ++escaped; });
  for (const std::uint32_t count : {1U, 63U, 64U, 200U}) {
    do {  // until it is the turn of looking ahead
      looked_at.clear();
      executed_now = -1;
      for (std::uint32_t n = 0; n < count; ++n) a.send<looking_ahead>(1, n);
      a.flush(flush_reason::idle);
      run_all(b);
      EXPECT_EQ(executed_now, static_cast<int>(count) - 1);
    } while (count >= 64 && looked_at.size() < 2);
    if (count < 64) {  // two stages of 16 packets, twice
      EXPECT_TRUE(looked_at.empty()) << "a short run is not worth it";
      continue;
    }
    ASSERT_EQ(looked_at.size(), count);
    looked_at[0].erase(looked_at[0].begin());  // was asked once more, whether it is worth while
    for (std::uint32_t n = 0; n < count; ++n) {
      ASSERT_EQ(looked_at[n].size(), 2U) << "packet " << n << " of " << count;
      if (n >= 32) {
        EXPECT_EQ(looked_at[n][0], static_cast<int>(n) - 33);
        EXPECT_EQ(looked_at[n][1], static_cast<int>(n) - 17);
      }
    }
  }
  EXPECT_GE(escaped, 1 + 1 + 4);
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

TEST_F(endpoint_test, holds_senders_back) {
  EXPECT_TRUE(a.has_room(1));
  for (int i = 0; i < endpoint::stall_batches; ++i) {
    EXPECT_TRUE(a.has_room(1));
    a.send<empty_handler>(1);
    a.flush(flush_reason::idle);
    EXPECT_FALSE(a.has_room(1)) << "a sender lets what arrives in after each batch";
    EXPECT_FALSE(run(a));
  }
  EXPECT_FALSE(a.has_room(1));
  EXPECT_TRUE(a.has_room(0)) << "only towards that PE";
  run(b);
  run(a);
  EXPECT_FALSE(a.has_room(1)) << "not for every single batch";
  run_all(b);
  run(a);
  EXPECT_TRUE(a.has_room(1));
  EXPECT_LE(wires[0].batches_made(), static_cast<std::size_t>(endpoint::stall_batches) + 1);
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
  EXPECT_EXIT(run(b), ::testing::ExitedWithCode(1), "throwing_handler threw, and nobody waits for its reply: odd 1");
}

TEST_F(endpoint_death, no_such_pe) {
  const std::vector<std::byte> bytes(10);
  EXPECT_EXIT(a.send<empty_handler>(2), ::testing::ExitedWithCode(1),
              "a message for PE 2, but the job's PEs are 0 to 1");
  EXPECT_EXIT(a.send<empty_handler>(-1), ::testing::ExitedWithCode(1), "a message for PE -1");
  EXPECT_EXIT(a.send<text_handler>(9, std::string(5000, 'x')), ::testing::ExitedWithCode(1), "a message for PE 9");
  EXPECT_EXIT(a.send_bulk<bulk_handler>(77, {bytes}, 0U), ::testing::ExitedWithCode(1), "a message for PE 77");
}

// ---- bad bytes

class bytes_of_batch {
 public:
  bytes_of_batch& header(std::uint32_t handler, std::uint32_t bytes) { return put(handler).put(bytes); }
  template <class T>
  bytes_of_batch& put(T value) {
    const auto* p = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), p, p + sizeof value);
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

constexpr std::uint32_t in_bulk = std::uint32_t{1} << 31;

template <class H>
std::uint32_t number_of() {
  return registered<H>::entry.number;
}

class bad_batches : public endpoint_test {
 protected:
  using endpoint_test::endpoint_test;
  void post(const std::vector<std::byte>& bytes, std::size_t bulk_bytes = 0) {
    transport::batch* sent = wires[0].acquire();
    ASSERT_LE(bytes.size(), sent->capacity);
    if (!bytes.empty()) std::memcpy(sent->data(), bytes.data(), bytes.size());
    sent->size = static_cast<std::uint32_t>(bytes.size());
    if (bulk_bytes == 0) {
      wires[0].post(sent, 1);
    } else {
      wires[0].post_bulk(sent, 1, {std::span(bulk_).first(bulk_bytes)});
    }
  }
  void expect_end(const bytes_of_batch& bytes, const std::string& message, std::size_t bulk_bytes = 0) {
    post(bytes.bytes(), bulk_bytes);
    EXPECT_EXIT(run(b), ::testing::ExitedWithCode(1), "a bad batch came from PE 0: .*" + message);
  }

  std::vector<std::byte> bulk_ = std::vector<std::byte>(10'000, std::byte{0xff});
  void run_random_bytes(bool tags);
};
using bad_batches_death = bad_batches;

TEST_F(bad_batches_death, headers) {
  expect_end(bytes_of_batch().put(std::uint32_t{1}), "at offset 0: it ends inside a run's header");
}
TEST_F(bad_batches_death, header_cut_after_a_run) {
  expect_end(bytes_of_batch().header(number_of<empty_handler>(), 1).put('\0').put('x'), "at offset 9: it ends inside");
}
TEST_F(bad_batches_death, unknown_handler) {
  expect_end(bytes_of_batch().header(10'000, 4).put(1),
             "at offset 0: handler number 10000 is unknown; this PE has 1 to");
}
TEST_F(bad_batches_death, greeting_out_of_turn) {
  expect_end(bytes_of_batch().header(wire::greeting_number, 4).put(1), "handler number 0 is unknown");
}
TEST_F(bad_batches_death, run_too_long) {
  expect_end(bytes_of_batch().header(number_of<number_handler>(), 24).put(1U).put(1L),
             "a run of 24 bytes for .*number_handler, but 12 are left");
}
TEST_F(bad_batches_death, run_of_broken_packets) {
  expect_end(bytes_of_batch().header(number_of<number_handler>(), 11).put(1U).put(1L),
             "a run of 11 bytes .* packets have 12");
}
TEST_F(bad_batches_death, run_of_nothing) {
  expect_end(bytes_of_batch().header(number_of<text_handler>(), 0), "a run of 0 bytes");
}
TEST_F(bad_batches_death, packet_longer_than_its_run) {
  expect_end(bytes_of_batch().header(number_of<text_handler>(), 8).put(100U).put(1),
             "a packet's length goes past its run");
}
TEST_F(bad_batches_death, packet_without_its_length) {
  expect_end(bytes_of_batch().header(number_of<text_handler>(), 2).put('a').put('b'),
             "a packet's length goes past its run");
}
TEST_F(bad_batches_death, text_longer_than_its_packet) {
  expect_end(bytes_of_batch().header(number_of<text_handler>(), 12).put(8U).put(std::uint64_t{5}),
             "the packet ends inside a value");
}
TEST_F(bad_batches_death, text_of_absurd_length) {
  expect_end(bytes_of_batch().header(number_of<text_handler>(), 12).put(8U).put(~std::uint64_t{0}), "a length of ");
}
TEST_F(bad_batches_death, bytes_left_over) {
  expect_end(bytes_of_batch().header(number_of<text_handler>(), 13).put(9U).put(std::uint64_t{0}).put('x'),
             "1 bytes are left over");
}
TEST_F(bad_batches_death, bulk_for_a_handler_that_takes_none) {
  expect_end(bytes_of_batch().header(number_of<number_handler>(), 12).put(1U).put(1L),
             "number_handler, which takes none", 100);
}
TEST_F(bad_batches_death, bulk_that_is_missing) {
  expect_end(bytes_of_batch().header(number_of<bulk_handler>(), 4).put(0U), "the bulk for .*bulk_handler is missing");
}
TEST_F(bad_batches_death, packet_in_a_bulk_that_is_missing) {
  expect_end(bytes_of_batch().header(number_of<text_handler>() | in_bulk, 0), "a packet's bulk is missing");
}
TEST_F(bad_batches_death, packet_in_a_bulk_of_the_wrong_size) {
  expect_end(bytes_of_batch().header(number_of<number_handler>() | in_bulk, 0),
             "a bulk of 100 bytes .* packets have 12", 100);
}
TEST_F(bad_batches_death, garbage_in_a_bulk) {
  expect_end(bytes_of_batch().header(number_of<text_handler>() | in_bulk, 0), "in a bulk: a length of", 5000);
}
TEST_F(bad_batches_death, two_packets_with_one_bulk) {
  expect_end(bytes_of_batch().header(number_of<bulk_handler>(), 8).put(0U).put(4U),
             "a bulk comes with more than one packet", 100);
}
TEST_F(bad_batches_death, head_of_a_bulk_goes_on) {
  expect_end(bytes_of_batch().header(number_of<bulk_handler>(), 4).put(0U).put(4U), "goes on behind its run", 100);
}
TEST_F(bad_batches_death, bulk_without_a_head) { expect_end(bytes_of_batch(), "it ends inside a run's header", 100); }

// Random bytes, and good batches with some bytes changed: each is executed or ends the job, and nothing else.
struct job_ended {};

void bad_batches::run_random_bytes(bool tags) {
  const char* chosen = std::getenv("ENDPOINT_TEST_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seed %llu (ENDPOINT_TEST_SEED)\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  b.set_escape_hook([](const wire::handler_entry&, std::exception_ptr) {});
  const auto handlers = static_cast<std::uint32_t>(wire::handlers().size());
  const std::uint32_t known[] = {number_of<number_handler>(), number_of<text_handler>(), number_of<list_handler>(),
                                 number_of<empty_handler>(),  number_of<bulk_handler>(), number_of<large_handler>()};
  int ended = 0;
  int executed = 0;
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 20'000; ++i) {
    bytes_of_batch bytes;
    for (std::uint64_t runs = random() % 4; runs > 0; --runs) {
      std::uint32_t handler =
          random() % 8 == 0 ? static_cast<std::uint32_t>(random() % (handlers + 2)) : known[random() % 6];
      const auto packet = wire::handlers()[handler < handlers && handler > 0 ? handler : 1]->packet_bytes;
      std::uint32_t size = random() % 4 == 0 ? static_cast<std::uint32_t>(random() % 200) : packet;
      if (size == 0) size = static_cast<std::uint32_t>(random() % 60);
      if (size > 230) size = 230;
      std::uint32_t tag_bytes = 0;
      if (tags && random() % 2 == 0) {
        const auto kind = static_cast<std::uint32_t>(1 + random() % 3);
        handler |= kind << 29;
        tag_bytes = random() % 8 == 0 ? 0 : (kind == 2 ? 8 : 4);
      }
      const bool bulk = random() % 10 == 0;
      bytes.header(handler | (bulk ? in_bulk : 0), tag_bytes + (bulk && random() % 2 == 0 ? 0 : size));
      for (; tag_bytes > 0; tag_bytes -= 4)
        bytes.put(static_cast<std::uint32_t>(random() % 20 == 0 ? 2 : random() % 2));
      if (packet == 0 && size >= 12) {
        bytes.put(size - 4).put(std::uint64_t{random() % 3 == 0 ? random() : random() % 20});
        size -= 12;
      }
      for (; size > 0; --size) bytes.put(static_cast<char>(random() % 3 == 0 ? random() : 0));
    }
    post(bytes.bytes(), random() % 5 == 0 ? 1 + random() % 5000 : 0);
    set_job_ender({.pe = 1, .end = [](void*, int) { throw job_ended(); }, .job = nullptr});
    try {
      run_all(b);
      ++executed;
    } catch (const job_ended&) {
      ++ended;
    }
  }
  set_job_ender({});
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), ended) << "one line for each end";
  EXPECT_GT(ended, 1000);
  EXPECT_GT(executed, 1000);
}

TEST_F(bad_batches, random_bytes) { run_random_bytes(false); }

class bad_batches_on_a_grid : public bad_batches {
 protected:
  bad_batches_on_a_grid() : bad_batches(2) {}
};
TEST_F(bad_batches_on_a_grid, random_bytes) { run_random_bytes(true); }

}  // namespace
}  // namespace tsubu::message
