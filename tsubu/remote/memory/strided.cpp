#include "tsubu/remote/memory/strided.hpp"

#include <cstring>

#include "tsubu/remote/pe.hpp"

namespace tsubu::remote {
namespace {

constexpr std::uint64_t in_pieces = std::uint64_t{1} << 63;  // of a length: a shape follows

// `count` times `bytes`, from one place to the next, at either end.
template <std::size_t N>
void copy_each(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step, std::size_t count) {
  for (; count != 0; --count, to += to_step, from += from_step) std::memcpy(to, from, N);
}
void copy_each(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step, std::size_t bytes,
               std::size_t count) {
  if (count == 0 || bytes == 0) return;  // there may be no address
  switch (bytes) {
    case 4:
      return copy_each<4>(to, to_step, from, from_step, count);
    case 8:
      return copy_each<8>(to, to_step, from, from_step, count);
    case 16:
      return copy_each<16>(to, to_step, from, from_step, count);
    default:
      for (; count != 0; --count, to += to_step, from += from_step) std::memcpy(to, from, bytes);
  }
}

}  // namespace

void pack(std::byte* to, const std::byte* first, const pieces& from) {
  copy_each(to, from.bytes, first, from.stride, from.bytes, from.count);
}

void unpack(std::byte* first, const pieces& to, const std::byte* from) {
  copy_each(first, to.stride, from, to.bytes, to.bytes, to.count);
}

std::vector<std::byte> packed(const std::byte* first, const pieces& from) {
  std::vector<std::byte> bytes(from.size());
  pack(bytes.data(), first, from);
  return bytes;
}

std::byte* pieces_at(segment_id id, std::uint64_t offset, const pieces& where, pe_id who) {
  if (where.is_one()) return where.bytes == 0 ? nullptr : current_pe->segments.at(id, offset, where.bytes, who);
  const std::span<std::byte> all = current_pe->segments.whole(id, who);
  if (where.count == 0 || where.bytes == 0) return nullptr;
  const bool in_segment = offset <= all.size() && where.bytes <= all.size() - offset && where.bytes <= where.stride &&
                          where.count - 1 <= (all.size() - offset - where.bytes) / where.stride;
  require(in_segment, "PE {} names {} pieces of {} bytes, {} apart, from byte {} of segment {}, which has {}", who,
          where.count, where.bytes, where.stride, offset, segment_table::number(id), all.size());
  return all.data() + offset;
}

void placed_bytes::put(pe_id who) const {
  std::byte* const place = pieces_at(segment_, offset_, to_, who);
  require(place == nullptr ? from_.bytes == 0 : to_.size() == from_.bytes, "PE {} sends {} bytes for {} pieces of {}",
          who, from_.bytes, to_.count, to_.bytes);
  unpack(place, to_, bytes_);
}

void placed_bytes::write(wire::writer& out) const {
  const std::uint64_t size = from_.size();
  wire::put(out, segment_);
  wire::put(out, offset_);
  wire::put(out, to_.is_one() ? size : size | in_pieces);
  if (!to_.is_one()) wire::put(out, to_);
  pack(out.append(size), bytes_, from_);
}

void placed_bytes::read(wire::reader& in) {
  segment_ = wire::take<segment_id>(in);
  offset_ = wire::take<std::uint64_t>(in);
  const auto size = wire::take<std::uint64_t>(in);
  from_ = pieces::one(size & ~in_pieces);
  to_ = (size & in_pieces) != 0 ? wire::take<pieces>(in) : from_;
  bytes_ = in.skip(from_.bytes, 1);
}

}  // namespace tsubu::remote
