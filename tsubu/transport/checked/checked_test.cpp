// Promises: with checksums, what arrives is what was posted, with and without a bulk; whatever bit changes on the way,
// in the batch, its checksum or its bulk, and whatever length, ends the job with a line that names the sender.
#include "tsubu/transport/checked/checked.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/loopback.hpp"
#include "tsubu/base/random.hpp"

namespace tsubu::transport {
namespace {

using bytes = std::vector<std::byte>;

class catcher : public receiver {
 public:
  std::byte* place(pe_id, std::span<const std::byte> head, std::size_t size) override {
    head_size = head.size();
    landed.assign(size, std::byte{});
    return landed.data();
  }
  message_facts facts_of(batch& posted, std::size_t) const override { return {.words = posted.size}; }
  bytes landed;
  std::size_t head_size = 0;
};

// PE 0 posts to PE 1.
class checksums : public testing::Test {
 protected:
  checksums() { there_.set_receiver(&catcher_); }

  bytes drawn(std::size_t size) {
    bytes made(size);
    for (std::byte& b : made) b = static_cast<std::byte>(random_());
    return made;
  }
  void post(const bytes& what, const bytes* bulk = nullptr) {
    batch* const b = here_.acquire();
    if (!what.empty()) std::memcpy(b->data(), what.data(), what.size());
    b->size = static_cast<std::uint32_t>(what.size());
    if (bulk == nullptr) {
      here_.post(b, 1);
    } else {
      here_.post_bulk(b, 1, {*bulk});
    }
  }
  // What arrives of the next one. PE 0 hears that its bulk has left.
  bytes polled() {
    batch* const b = there_.poll();
    here_.hear_of_bulks();
    if (b == nullptr) return {};
    const bytes got(b->data(), b->data() + b->size);
    there_.release(b);
    return got;
  }
  // Changes one bit of the batch or, if it has one, of its bulk.
  void flip(std::size_t bit, bool of_bulk) {
    wires_[1].damage = [bit, of_bulk](batch& b, std::span<std::byte> part) {
      if ((part.data() == b.data()) != of_bulk) part[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    };
  }

  const std::uint64_t seed_ = fresh_seed();
  std::mt19937_64 random_{seed_};
  catcher catcher_;
  test::loopback wires_{2};
  checked here_{wires_[0]};
  checked there_{wires_[1]};
};

TEST_F(checksums, leave_room_for_themselves) {
  EXPECT_EQ(here_.batch_bytes(), wires_[0].batch_bytes() - checked::trailer_bytes);
  EXPECT_EQ(here_.pe_count(), 2);
}

TEST_F(checksums, what_arrives_is_what_was_posted) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, here_.batch_bytes()}) {
    const bytes sent = drawn(size);
    post(sent);
    EXPECT_EQ(polled(), sent);
  }
  EXPECT_EQ(here_.on_the_way(1), 0);
}

TEST_F(checksums, bulks_arrive_behind_a_head_without_its_trailer) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  for (const unsigned size : {1U, 8U, 100'000U}) {
    const bytes head = drawn(24), bulk = drawn(size);
    post(head, &bulk);
    EXPECT_EQ(polled(), head);
    EXPECT_EQ(catcher_.head_size, head.size());
    EXPECT_EQ(catcher_.landed, bulk);
  }
}

TEST_F(checksums, nobody_above_sees_a_trailer_in_what_is_posted) {
  batch* const b = here_.acquire();
  b->size = 100;
  here_.set_receiver(&catcher_);
  EXPECT_EQ(wires_[0].floor_above().facts_of(*b, 0).words, 100U - checked::trailer_bytes);
  EXPECT_EQ(b->size, 100U);
  here_.release(b);
}

using checksums_death = checksums;

TEST_F(checksums_death, any_bit_of_a_batch) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const bytes sent = drawn(20);
  post(sent);
  for (std::size_t bit = 0; bit < 8 * (20 + checked::trailer_bytes); bit += 7) {
    flip(bit, false);
    EXPECT_EXIT(polled(), testing::ExitedWithCode(1), "a batch of 36 bytes from PE 0 is not what was sent");
  }
}

TEST_F(checksums_death, a_bit_of_a_bulk) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  const bytes head = drawn(24), bulk = drawn(1000);
  post(head, &bulk);
  flip(random_() % 8000, true);
  EXPECT_EXIT(polled(), testing::ExitedWithCode(1), "a bulk of 1000 bytes from PE 0 is not what was sent");
  flip(random_() % 192, false);
  EXPECT_EXIT(polled(), testing::ExitedWithCode(1), "a batch of 40 bytes from PE 0 is not what was sent");
  wires_[1].damage = nullptr;
  EXPECT_EQ(polled(), head);  // so that its copy has left
}

TEST_F(checksums_death, another_length) {
  post(drawn(20));
  for (const std::uint32_t size : {0U, 4U, 16U, 35U}) {
    wires_[1].damage = [size](batch& b, std::span<std::byte>) { b.size = size; };
    EXPECT_EXIT(polled(), testing::ExitedWithCode(1), "bytes from PE 0 is not what was sent");
  }
}

TEST_F(checksums_death, from_another_pe) {
  post(drawn(20));
  wires_[1].damage = [](batch& b, std::span<std::byte>) { b.from = 1; };
  EXPECT_EXIT(polled(), testing::ExitedWithCode(1), "a batch of 36 bytes from PE 1 is not what was sent");
}

TEST_F(checksums_death, a_sender_without) {
  batch* const b = wires_[0].acquire();
  b->size = 40;
  wires_[0].post(b, 1);
  EXPECT_EXIT(polled(), testing::ExitedWithCode(1), "or PE 0 runs without --tsubu-checksum, which all PEs must have");
}

}  // namespace
}  // namespace tsubu::transport
