// Promise: packing and unpacking take and put the elements of the pieces, and no others; pieces that overlap are
// refused. Method: pieces of all small shapes beside plain loops over the elements.
#include "tsubu/remote/memory/strided.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace tsubu {
namespace {

using remote::pieces;

std::byte* bytes_of(void* at) { return static_cast<std::byte*>(at); }

template <class T>
void expect_plain_loops(std::size_t count, std::size_t length, std::size_t stride) {
  std::vector<T> from(200), packed(count * length), to(200, T(1));
  std::iota(from.begin(), from.end(), T(2));
  const strided_span<T> taken(from.data(), count, length, stride);
  ASSERT_EQ(taken.size(), count * length);
  ASSERT_EQ(taken.pieces().size(), count * length * sizeof(T));
  remote::pack(bytes_of(packed.data()), bytes_of(taken.first()), taken.pieces());
  remote::unpack(bytes_of(to.data()), taken.pieces(), bytes_of(packed.data()));
  std::vector<T> expected, all(200, T(1));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < length; ++k) {
      expected.push_back(from[i * stride + k]);
      all[i * stride + k] = from[i * stride + k];
    }
  }
  EXPECT_EQ(packed, expected) << count << " " << length << " " << stride;
  EXPECT_EQ(to, all) << count << " " << length << " " << stride;
}

TEST(Strided, PiecesAreThoseOfPlainLoops) {
  for (std::size_t count = 0; count < 6; ++count) {
    for (std::size_t length = 0; length < 8; ++length) {
      for (std::size_t stride = length; stride < 20; ++stride) {
        expect_plain_loops<char>(count, length, stride);
        expect_plain_loops<short>(count, length, stride);
        expect_plain_loops<float>(count, length, stride);
        expect_plain_loops<double>(count, length, stride);
      }
    }
  }
}

TEST(Strided, PiecesWithoutGapsAreOne) {
  EXPECT_EQ(pieces::of(5, 3, 3, 8), pieces::one(120));
  EXPECT_EQ(pieces::of(1, 3, 0, 8), pieces::one(24));
  EXPECT_EQ(pieces::of(0, 3, 0, 8), pieces::one(0));
  EXPECT_EQ(pieces::of(2, 3, 4, 8), (pieces{2, 24, 32}));
}

TEST(StridedDeath, PiecesThatOverlap) {
  std::array<int, 10> ints{};
  EXPECT_EXIT(strided_span(ints.data(), 2, 3, 2), testing::ExitedWithCode(1),
              "2 pieces of 3 elements overlap: they begin 2 apart");
}

}  // namespace
}  // namespace tsubu
