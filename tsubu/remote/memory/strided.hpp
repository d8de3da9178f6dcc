// Memory in pieces at equal distances: a column of a matrix, or a block of it.
//
//   strided_span<const double> column(&grid[3], rows, 1, width);      // rows pieces of one element, width apart
//   co_await there.strided(rows, 1, width).write(column);             // there: a global_ptr to the column's first
//   element
//
// What is strided travels packed, and either end may have another shape: a column may land in a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu {

namespace remote {

// In bytes: `count` pieces of `bytes`, whose begins are `stride` apart. They do not overlap. Travels as its bytes.
struct pieces {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stride = 0;

  static pieces one(std::uint64_t bytes) { return {1, bytes, bytes}; }
  // Pieces of elements. Ends the job if they overlap.
  static pieces of(std::uint64_t count, std::uint64_t length, std::uint64_t stride, std::size_t element_bytes) {
    if (count <= 1 || length == stride) return one(count * length * element_bytes);
    require(length <= stride, "{} pieces of {} elements overlap: they begin {} apart", count, length, stride);
    return {count, length * element_bytes, stride * element_bytes};
  }
  std::uint64_t size() const { return count * bytes; }
  bool is_one() const { return count == 1; }
  bool operator==(const pieces&) const = default;
};

// Packed bytes from or to the pieces that begin at an address.
void pack(std::byte* to, const std::byte* first, const pieces& from);
void unpack(std::byte* first, const pieces& to, const std::byte* from);
std::vector<std::byte> packed(const std::byte* first, const pieces& from);

// The first byte of pieces of a segment here, that begin at `offset`; null if they have no bytes. Ends the job if they
// are not all there; `who` asks.
std::byte* pieces_at(segment_id id, std::uint64_t offset, const pieces& where, pe_id who);

// Bytes, and where in the receiver's memory they go, in a packet. They are copied from where they lie into the packet,
// and from there to their place.
class placed_bytes {
 public:
  placed_bytes() = default;
  placed_bytes(segment_id segment, std::uint64_t offset, const pieces& to, const std::byte* first, const pieces& from)
      : segment_(segment), offset_(offset), to_(to), bytes_(first), from_(from) {}

  // Where they have arrived, while their packet is executed: to their place.
  void put(pe_id who) const;

  friend void CEREAL_SAVE_FUNCTION_NAME(wire::writer& out, const placed_bytes& b) { b.write(out); }
  friend void CEREAL_LOAD_FUNCTION_NAME(wire::reader& in, placed_bytes& b) { b.read(in); }

 private:
  void write(wire::writer& out) const;
  void read(wire::reader& in);

  segment_id segment_ = 0;
  std::uint64_t offset_ = 0;
  pieces to_;
  const std::byte* bytes_ = nullptr;  // in the sender's memory, or in the packet
  pieces from_;
};

}  // namespace remote

// Elements of this PE's memory: `count` pieces of `length` elements, whose begins are `stride` elements apart. Owns
// nothing, as std::span.
// Local; does not block; pieces that overlap end the job.
template <class T>
class strided_span {
 public:
  // Pieces must not overlap: if there are several, length <= stride.
  strided_span(T* first, std::size_t count, std::size_t length, std::size_t stride)
      : first_(first), size_(count * length), pieces_(remote::pieces::of(count, length, stride, sizeof(T))) {}
  // One of values is one of constant values, too.
  template <class U>
    requires std::is_same_v<const U, T>
  strided_span(const strided_span<U>& other) : first_(other.first()), size_(other.size()), pieces_(other.pieces()) {}

  T* first() const { return first_; }
  // How many elements.
  std::size_t size() const { return size_; }
  const remote::pieces& pieces() const { return pieces_; }

 private:
  T* first_;
  std::size_t size_;
  remote::pieces pieces_;
};

}  // namespace tsubu

// It holds an address on the way, and is no value that a program could send.
template <>
struct tsubu::wire::is_view<tsubu::remote::placed_bytes> : std::true_type {};
