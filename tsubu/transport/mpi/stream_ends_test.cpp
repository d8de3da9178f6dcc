// Promise: the ends of a stream agree, whatever the order of their news: bytes come once and in order, none is
// overwritten before it was read, and a sender that waits for room for half of the ring gets it.
// Method: random writes, reads and news on both sides of a ring in memory; a seed is printed when it fails.
#include "tsubu/transport/mpi/stream_ends.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tsubu::transport::mpi {
namespace {

class stream {
 public:
  stream(std::size_t capacity, std::uint64_t seed) : ring_(capacity), random_(seed) {}

  void run(stream_count bytes) {
    while (receiver_.read < bytes) {
      switch (random_() % 4) {
        case 0:
          write(std::min<std::size_t>(1 + random_() % (ring_.size() / 2), bytes - sender_.written));
          break;
        case 1:
          ASSERT_TRUE(receiver_.hear(sender_.written, ring_.size()));
          break;
        case 2:
          read(std::min<std::size_t>(receiver_.available(), 1 + random_() % ring_.size()));
          break;
        default:
          ASSERT_TRUE(sender_.hear(receiver_.told));
      }
      ASSERT_LT(++steps_, 100 * bytes) << "nothing moves any more";
    }
  }

 private:
  static unsigned char content(stream_count at) { return static_cast<unsigned char>(at * 7 + at / 251); }

  void write(std::size_t bytes) {
    if (bytes == 0 || bytes > sender_.room(ring_.size())) return;
    const ring_pieces at(sender_.written, bytes, ring_.size());
    ASSERT_EQ(at.first + at.second, bytes);
    for (std::size_t i = 0; i < at.first; ++i) ring_[at.offset + i] = content(sender_.written + i);
    for (std::size_t i = 0; i < at.second; ++i) ring_[i] = content(sender_.written + at.first + i);
    sender_.written += bytes;
  }
  void read(std::size_t bytes) {
    const ring_pieces at(receiver_.read, bytes, ring_.size());
    for (std::size_t i = 0; i < at.first; ++i) ASSERT_EQ(ring_[at.offset + i], content(receiver_.read + i));
    for (std::size_t i = 0; i < at.second; ++i) ASSERT_EQ(ring_[i], content(receiver_.read + at.first + i));
    receiver_.read += bytes;
    if (receiver_.should_tell(ring_.size())) receiver_.told = receiver_.read;
  }

  std::vector<unsigned char> ring_;
  std::mt19937_64 random_;
  sending_end sender_;
  receiving_end receiver_;
  stream_count steps_ = 0;
};

TEST(StreamEnds, RandomSchedules) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    stream(8 + seed % 100, seed).run(2000);
    if (HasFatalFailure()) return;
  }
}

TEST(StreamEnds, NewsThatCannotBe) {
  receiving_end receiver;
  EXPECT_TRUE(receiver.hear(64, 64));
  EXPECT_FALSE(receiver.hear(65, 64)) << "more than the ring holds";
  EXPECT_FALSE(receiver.hear(63, 64)) << "less than before";
  sending_end sender;
  sender.written = 10;
  EXPECT_FALSE(sender.hear(11)) << "more than was written";
  EXPECT_TRUE(sender.hear(10));
  EXPECT_FALSE(sender.hear(9)) << "less than before";
}

}  // namespace
}  // namespace tsubu::transport::mpi
