// Promise: a reply for a slot that is not open, memory that is not there, a PE that does not exist: whatever
// a packet names is checked before it is used, and what no correct PE sends ends the job with one line.
#include <gtest/gtest.h>

#include <random>

#include "tests/interleaved_job.hpp"
#include "tsubu/remote/memory/shared_object.hpp"

namespace tsubu::remote {
namespace {

using test::interleaved_job;

struct counter {
  unsigned long n = 0;
  void add(unsigned long k) { n += k; }
  unsigned long get() { return n; }
};
unsigned long twice(unsigned long x) { return 2 * x; }

class bad_packets : public ::testing::Test {
 protected:
  bad_packets() : job_(2) {
    job_[1];
    memory_ = share(std::span<long>(longs_));
    object_ = share(counter_);
    job_[0];
  }
  ~bad_packets() override { job_[1]; }

  // PE 0 sends, PE 1 shall end the job.
  template <class H, class... V>
  void expect_end(const std::string& message, const V&... values) {
    job_[0].messages.send<H>(1, values...);
    job_[0].messages.flush(message::flush_reason::idle);
    EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), message);
  }
  void deliver() {
    pe& one = job_[1];
    while (one.step()) continue;
  }
  reply_address caller(pe_id pe = 0) const { return {pe, 0, 1}; }

  interleaved_job job_;
  std::vector<long> longs_ = std::vector<long>(10);
  counter counter_;
  global_ptr<long> memory_;
  global_ptr<counter> object_;
};
using bad_packets_death = bad_packets;

TEST_F(bad_packets_death, answers_to_nobody) {
  expect_end<reply_value<long>>("PE 0 answers reply slot 3, generation 1, but there are 0 slots", 3U, 1U, 5L);
}
TEST_F(bad_packets_death, errors_for_nobody) {
  expect_end<reply_error>("PE 0 answers reply slot 0", 0U, 1U, error_report{0, "t", "m", false, {}});
}
TEST_F(bad_packets_death, answers_of_another_type) {
  struct : value_sink<long> {
    void value(long) override {}
    void error(std::exception_ptr) override {}
  } sink;
  const reply_address a = job_[1].replies.open(1, sink, &reply_type<long>, 0, nullptr);
  expect_end<reply_value<std::string>>("it waits for a value of another type", a.slot, a.generation,
                                       std::string("text"));
}
TEST_F(bad_packets_death, caller_that_does_not_exist) {
  expect_end<ask_call<twice>>("a message for PE 99, but the job's PEs are 0 to 1", caller(99), 1UL);
}
TEST_F(bad_packets_death, epoch_that_is_not_open) {
  const wire::handler_entry& of = message::registered<in_epoch<ask_call<twice>>>::entry;
  std::byte* const packet = job_[0].messages.out().append(1, of, of.packet_bytes);
  wire::store(packet, epoch_id{1, 7});
  ask_call<twice>::layout::write(packet + sizeof(epoch_id), caller(), 1UL);
  job_[0].messages.flush(message::flush_reason::idle);
  EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), "PE 0 sends a message of .*, which is not open");
}
TEST_F(bad_packets_death, epoch_without_a_name) {
  message::outbox& out = job_[0].messages.out();
  out.scratch().resize(3);
  out.send_scratch(1, message::registered<in_epoch<reply_value<std::string>>>::entry);
  job_[0].messages.flush(message::flush_reason::idle);
  EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), "at offset .*the name of an epoch is cut off");
}
TEST_F(bad_packets_death, text_in_an_epoch_that_is_cut_off) {
  message::outbox& out = job_[0].messages.out();
  std::vector<std::byte>& packet = out.scratch();
  packet.resize(sizeof(epoch_id) + 3);
  wire::store(packet.data(), epoch_id{0, 1});
  out.send_scratch(1, message::registered<in_epoch<reply_value<std::string>>>::entry);
  job_[0].messages.flush(message::flush_reason::idle);
  EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), "at offset .*the packet ends inside a value");
}
TEST_F(bad_packets_death, reader_that_does_not_exist) {
  expect_end<read_bulk>("a message for PE -5", caller(-5), memory_.segment(), std::uint64_t{0}, std::uint64_t{8});
}
TEST_F(bad_packets_death, read_of_nothing) {
  expect_end<read_bulk>("a bulk of no bytes", caller(), memory_.segment(), std::uint64_t{0}, std::uint64_t{0});
}
TEST_F(bad_packets_death, answer_that_nobody_awaits) {
  expect_end<next_answer<long>>("PE 0 sends a .*next_answer<long>, but nobody here awaits one from there", 5L);
}
TEST_F(bad_packets_death, answer_of_another_type) {
  job_[1];
  const reply_in_line<long> waiting(0, [] {});
  job_[0];
  expect_end<next_answer<int>>("PE 0 sends a .*next_answer<int>, but nobody here awaits one from there", 5);
}
TEST_F(bad_packets_death, value_that_nobody_awaits) {
  expect_end<landed<8>>("PE 0 sends 1 values of 8 bytes, but 0 are awaited from there", std::array<std::byte, 8>());
}
TEST_F(bad_packets_death, near_read_out_of_range) {
  expect_end<read_near<8>>("PE 0 names bytes 76 to 84 of a segment of 80",
                           near_address::of(memory_.segment(), 76).word);
}
TEST_F(bad_packets_death, near_read_of_an_unknown_segment) {
  expect_end<read_near<8>>("PE 0 names segment 77", near_address::of(77, 0).word);
  expect_end<read_close<8>>("PE 0 names segment 7", close_address<8>::of(7, 0).word);
}
TEST_F(bad_packets_death, far_read_out_of_range) {
  expect_end<read_far<8>>("PE 0 names bytes 4294967296 to 4294967304 of a segment of 80", memory_.segment(),
                          std::uint64_t{1} << 32);
}
TEST_F(bad_packets_death, unknown_segment) {
  expect_end<put_one<long>>("PE 0 names segment 77", segment_id{77}, std::uint64_t{0}, 5L);
}
TEST_F(bad_packets_death, write_out_of_range) {
  expect_end<write_one<long>>("PE 0 names bytes 76 to 84 of a segment of 80", memory_.segment(), std::uint64_t{76}, 5L);
}
TEST_F(bad_packets_death, object_out_of_range) {
  expect_end<past_method<&counter::add, counter>>("PE 0 names bytes 8 to 16 of a segment of 8", object_.segment(),
                                                  std::uint64_t{8}, 1UL);
}
TEST_F(bad_packets_death, object_that_is_not_aligned) {
  expect_end<ask_method<&counter::get, counter>>("names an object at byte 3 of a segment: not aligned", caller(),
                                                 memory_.segment(), std::uint64_t{3});
}
TEST_F(bad_packets_death, reply_to_a_read_that_nobody_made) {
  const std::vector<std::byte> bytes(8);
  job_[0].messages.send_bulk<read_answer>(1, {bytes}, 0U, 1U);
  EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), "PE 0 answers reply slot 0");
}
TEST_F(bad_packets_death, bulk_out_of_range) {
  const std::vector<std::byte> bytes(81);
  job_[0].messages.send_bulk<write_bulk>(1, {bytes}, memory_.segment(), std::uint64_t{0}, pieces::one(81));
  EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), "PE 0 names bytes 0 to 81 of a segment of 80");
}
TEST_F(bad_packets_death, bulk_of_another_size) {
  const std::vector<std::byte> bytes(80);
  job_[0].messages.send_bulk<write_bulk>(1, {bytes}, memory_.segment(), std::uint64_t{0}, pieces{2, 8, 16});
  EXPECT_EXIT(deliver(), testing::ExitedWithCode(1), "PE 0 sends 80 bytes for 2 pieces of 8");
}

// Pieces, of which some are not in the segment.
class bad_pieces_death : public bad_packets {
 protected:
  void expect_refused(const std::string& named, std::uint64_t offset, const pieces& to) {
    expect_end<write_packet>(
        "PE 0 names " + named + " of segment 0, which has 80",
        placed_bytes(memory_.segment(), offset, to, reinterpret_cast<std::byte*>(longs_.data()), pieces::one(24)));
  }
};
TEST_F(bad_pieces_death, the_last_out_of_range) {
  expect_refused("3 pieces of 8 bytes, 36 apart, from byte 8", 8, {3, 8, 36});
}
TEST_F(bad_pieces_death, the_first_out_of_range) {
  expect_refused("3 pieces of 8 bytes, 16 apart, from byte 81", 81, {3, 8, 16});
}
TEST_F(bad_pieces_death, that_overlap) { expect_refused("3 pieces of 8 bytes, 0 apart, from byte 0", 0, {3, 8, 0}); }
TEST_F(bad_pieces_death, more_than_can_be_counted) {
  expect_refused("2305843009213693952 pieces of 8 bytes, 8 apart, from byte 0", 0, {std::uint64_t{1} << 61, 8, 8});
}
TEST_F(bad_pieces_death, longer_than_a_memory) {
  expect_refused("2 pieces of 9223372036854775808 bytes, 8 apart, from byte 16", 16, {2, std::uint64_t{1} << 63, 8});
}
TEST_F(bad_pieces_death, further_apart_than_a_memory) {
  expect_refused("3 pieces of 8 bytes, 18446744073709551615 apart, from byte 16", 16, {3, 8, ~std::uint64_t{0}});
}
TEST_F(bad_pieces_death, that_are_read) {
  expect_end<read_pieces>("PE 0 names 10 pieces of 8 bytes, 16 apart, from byte 0 of segment 0, which has 80", caller(),
                          memory_.segment(), std::uint64_t{0}, pieces{10, 8, 16});
}
TEST_F(bad_packets_death, pieces_of_another_size) {
  const auto longs = reinterpret_cast<const std::byte*>(longs_.data());
  expect_end<write_packet>("PE 0 sends 16 bytes for 3 pieces of 8",
                           placed_bytes(memory_.segment(), 0, {3, 8, 16}, longs, pieces::one(16)));
}
TEST_F(bad_packets_death, read_of_no_pieces) {
  expect_end<read_pieces>("a bulk of no bytes", caller(), memory_.segment(), std::uint64_t{0}, pieces{0, 8, 16});
}

struct job_ended {};

// Instead of the end of the job, an exception; it may pass through handlers that catch it and fail again.
void throw_instead_of_ending() {
  set_job_ender({.pe = 1,
                 .end =
                     [](void*, int) {
                       throw_instead_of_ending();
                       throw job_ended();
                     },
                 .job = nullptr});
}

// The runtime's own handlers and the calls of this file; not a task that may end later, nor an allocation
// of random size.
std::vector<const wire::handler_entry*> handlers_to_hit() {
  std::vector<const wire::handler_entry*> chosen;
  for (const wire::handler_entry* handler : wire::handlers().subspan(1)) {
    const std::string name = wire::readable_name(*handler);
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (!has("make_segment") && !has("spread") && !has("never") && !has("_test::")) chosen.push_back(handler);
  }
  return chosen;
}

// Every handler of the runtime, called with random values.
TEST_F(bad_packets, random_values) {
  const char* chosen = std::getenv("BAD_PACKETS_TEST_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seed %llu (BAD_PACKETS_TEST_SEED)\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  job_[1].messages.set_escape_hook(
      [](const wire::handler_entry&, std::exception_ptr e) { std::rethrow_exception(std::move(e)); });
  const auto handlers = handlers_to_hit();
  int ended = 0;
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 30'000; ++i) {
    const wire::handler_entry& handler = *handlers[random() % handlers.size()];
    const std::uint32_t size =
        handler.packet_bytes != 0 ? handler.packet_bytes : static_cast<std::uint32_t>(4 + random() % 80);
    transport::batch* b = job_.wires()[0].acquire();
    std::byte* at = b->data();
    auto put = [&at](auto value) {
      std::memcpy(at, &value, sizeof value);
      at += sizeof value;
    };
    put(handler.code);
    put(size);
    for (std::uint32_t k = 0; k < size; ++k) put(static_cast<char>(random() % 4 == 0 ? random() : random() % 2));
    if (handler.packet_bytes == 0) {
      const std::uint32_t packet = size - 4;
      std::memcpy(b->data() + 8, &packet, sizeof packet);
    }
    b->size = 8 + size;
    std::vector<std::byte> bulk(1 + random() % 100);
    const bool with_bulk = handler.place != nullptr && random() % 2 == 0;
    throw_instead_of_ending();
    try {
      if (with_bulk) {
        job_.wires()[0].post_bulk(b, 1, {bulk});
      } else {
        job_.wires()[0].post(b, 1);
      }
      deliver();
    } catch (const job_ended&) {
      ++ended;
    }
  }
  set_job_ender({});
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_GE(std::count(said.begin(), said.end(), '\n'), ended);
  EXPECT_GT(ended, 1000);
}

}  // namespace
}  // namespace tsubu::remote
