// Promise: bytes that no correct PE sends end the job with a line that says what was wrong with them, whatever they
// are. Method: batches written by hand and at random, posted to an endpoint that executes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "tests/two_endpoints.hpp"
#include "tsubu/message/batch_format.hpp"

namespace tsubu::message {
namespace {

using namespace test;

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

using format::another_follows;
using format::in_bulk;

template <class H>
std::uint32_t code_of() {
  return registered<H>::entry.code;
}

class bad_batches : public two_endpoints {
 protected:
  using two_endpoints::two_endpoints;
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
  void run_random_bytes(std::uint32_t name_bytes);
};
using bad_batches_death = bad_batches;

TEST_F(bad_batches_death, headers) {
  expect_end(bytes_of_batch().put(std::uint32_t{1}), "at offset 0: it ends inside a run's header");
}
TEST_F(bad_batches_death, header_cut_after_a_run) {
  expect_end(bytes_of_batch().header(code_of<empty_handler>(), 1 | another_follows).put('\0').put('x'),
             "at offset 9: it ends inside");
}
TEST_F(bad_batches_death, cut_off_between_two_runs) {
  expect_end(bytes_of_batch().header(code_of<empty_handler>(), 1 | another_follows).put('\0'),
             "a run of 1 bytes for .*empty_handler, not the last of its batch, but nothing follows");
}
TEST_F(bad_batches_death, bytes_behind_the_last_run) {
  expect_end(
      bytes_of_batch().header(code_of<empty_handler>(), 1).put('\0').header(code_of<empty_handler>(), 1).put('\0'),
      "the last of its batch, but more bytes follow");
}
TEST_F(bad_batches_death, unknown_handler) {
  expect_end(bytes_of_batch().header(wire::code_of(10'000), 4).put(1),
             "at offset 0: the handler's code [0-9]+ is that of number 10000, damaged or unknown; this PE has 1 to");
}
TEST_F(bad_batches_death, damaged_handler) {
  const std::uint32_t code = code_of<empty_handler>() ^ 1U;
  expect_end(bytes_of_batch().header(code, 1).put('\0'), "at offset 0: the handler's code " + std::to_string(code));
}
TEST_F(bad_batches_death, handshake_out_of_turn) {
  expect_end(bytes_of_batch().header(wire::handshake_number, 4).put(1),
             "the handler's code 0 is that of number 0, damaged or unknown");
}
TEST_F(bad_batches_death, run_too_long) {
  expect_end(bytes_of_batch().header(code_of<number_handler>(), 24).put(1U).put(1L),
             "a run of 24 bytes for .*number_handler, but 12 are left");
}
TEST_F(bad_batches_death, run_of_broken_packets) {
  expect_end(bytes_of_batch().header(code_of<number_handler>(), 11).put(1U).put(1L),
             "a run of 11 bytes .* packets have 12");
}
TEST_F(bad_batches_death, run_of_nothing) {
  expect_end(bytes_of_batch().header(code_of<text_handler>(), 0), "a run of 0 bytes");
}
TEST_F(bad_batches_death, packet_longer_than_its_run) {
  expect_end(bytes_of_batch().header(code_of<text_handler>(), 8).put(100U).put(1),
             "a packet's length goes past its run");
}
TEST_F(bad_batches_death, packet_without_its_length) {
  expect_end(bytes_of_batch().header(code_of<text_handler>(), 2).put('a').put('b'),
             "a packet's length goes past its run");
}
TEST_F(bad_batches_death, text_longer_than_its_packet) {
  expect_end(bytes_of_batch().header(code_of<text_handler>(), 12).put(8U).put(std::uint64_t{5}),
             "the packet ends inside a value");
}
TEST_F(bad_batches_death, text_of_absurd_length) {
  expect_end(bytes_of_batch().header(code_of<text_handler>(), 12).put(8U).put(~std::uint64_t{0}), "a length of ");
}
TEST_F(bad_batches_death, bytes_left_over) {
  expect_end(bytes_of_batch().header(code_of<text_handler>(), 13).put(9U).put(std::uint64_t{0}).put('x'),
             "1 bytes are left over");
}
TEST_F(bad_batches_death, bulk_for_a_handler_that_takes_none) {
  expect_end(bytes_of_batch().header(code_of<number_handler>(), 12).put(1U).put(1L), "number_handler, which takes none",
             100);
}
TEST_F(bad_batches_death, bulk_that_is_missing) {
  expect_end(bytes_of_batch().header(code_of<bulk_handler>(), 4).put(0U), "the bulk for .*bulk_handler is missing");
}
TEST_F(bad_batches_death, packet_in_a_bulk_that_is_missing) {
  expect_end(bytes_of_batch().header(code_of<text_handler>() | in_bulk, 0), "a packet's bulk is missing");
}
TEST_F(bad_batches_death, packet_in_a_bulk_of_the_wrong_size) {
  expect_end(bytes_of_batch().header(code_of<number_handler>() | in_bulk, 0), "a bulk of 100 bytes .* packets have 12",
             100);
}
TEST_F(bad_batches_death, garbage_in_a_bulk) {
  expect_end(bytes_of_batch().header(code_of<text_handler>() | in_bulk, 0), "in a bulk: a length of", 5000);
}
TEST_F(bad_batches_death, two_packets_with_one_bulk) {
  expect_end(bytes_of_batch().header(code_of<bulk_handler>(), 8).put(0U).put(4U),
             "a bulk comes with more than one packet", 100);
}
TEST_F(bad_batches_death, head_of_a_bulk_goes_on) {
  expect_end(bytes_of_batch().header(code_of<bulk_handler>(), 4 | another_follows).put(0U).put(4U),
             "goes on behind its run", 100);
}
TEST_F(bad_batches_death, bulk_without_a_head) { expect_end(bytes_of_batch(), "it ends inside a run's header", 100); }

// Random bytes, and good batches with some bytes changed: each is executed or ends the job, and nothing else.
struct job_ended {};

void bad_batches::run_random_bytes(std::uint32_t name_bytes) {
  const char* chosen = std::getenv("ENDPOINT_TEST_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seed %llu (ENDPOINT_TEST_SEED)\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  b.set_escape_hook([](const wire::handler_entry&, std::exception_ptr) {});
  const auto handlers = static_cast<std::uint32_t>(wire::handlers().size());
  const std::uint32_t known[] = {code_of<number_handler>(), code_of<text_handler>(), code_of<list_handler>(),
                                 code_of<empty_handler>(),  code_of<bulk_handler>(), code_of<large_handler>()};
  int ended = 0;
  int executed = 0;
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 20'000; ++i) {
    bytes_of_batch bytes;
    for (std::uint64_t runs = random() % 4; runs > 0; --runs) {
      const std::uint32_t number = random() % 8 == 0 ? static_cast<std::uint32_t>(random() % (handlers + 2))
                                                     : wire::number_in(known[random() % 6]);
      std::uint32_t handler = wire::code_of(number) ^ (random() % 50 == 0 ? 1U << random() % wire::code_bits : 0U);
      const auto packet = wire::handlers()[number < handlers && number > 0 ? number : 1]->packet_bytes;
      std::uint32_t size = random() % 4 == 0 ? static_cast<std::uint32_t>(random() % 200) : packet;
      if (size == 0) size = static_cast<std::uint32_t>(random() % 60);
      if (size > 230) size = 230;
      std::uint32_t tag_bytes = 0;
      if (name_bytes != 0 && random() % 2 == 0) {
        const auto kind = static_cast<std::uint32_t>(1 + random() % 3);
        handler |= kind << 29;
        tag_bytes = random() % 8 == 0 ? 0 : (kind == 2 ? 2 * name_bytes : name_bytes);
      }
      const bool bulk = random() % 10 == 0;
      const bool follows = runs > 1 || random() % 50 == 0;
      bytes.header(handler | (bulk ? in_bulk : 0),
                   (tag_bytes + (bulk && random() % 2 == 0 ? 0 : size)) | (follows ? another_follows : 0));
      for (; tag_bytes > 0; tag_bytes -= name_bytes) {
        const auto name = static_cast<std::uint32_t>(random() % 20 == 0 ? 2 : random() % 2);
        if (name_bytes == 1) {
          bytes.put(static_cast<char>(name));
        } else {
          bytes.put(name);
        }
      }
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
  int lines = 0;
  for (std::size_t at = 0; (at = said.find("tsubu: PE 1: ", at)) != said.npos; ++at) ++lines;
  EXPECT_EQ(lines, ended) << "one line for each end";
  EXPECT_GT(ended, 1000);
  EXPECT_GT(executed, 500);
}

TEST_F(bad_batches, random_bytes) { run_random_bytes(0); }

class bad_batches_on_a_grid : public bad_batches {
 protected:
  bad_batches_on_a_grid() : bad_batches(2) {}
};
TEST_F(bad_batches_on_a_grid, random_bytes) { run_random_bytes(1); }

class bad_batches_in_a_cube : public bad_batches {
 protected:
  bad_batches_in_a_cube() : bad_batches(3) {}
};
TEST_F(bad_batches_in_a_cube, random_bytes) { run_random_bytes(sizeof(pe_id)); }

}  // namespace
}  // namespace tsubu::message
