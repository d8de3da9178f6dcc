#include "tsubu/message/by_destination.hpp"

#include <cstring>

#include "tsubu/message/batch_format.hpp"

namespace tsubu::message {

bool by_destination::sort(std::span<const std::byte> tagged, std::size_t bytes) {
  constexpr std::size_t bytes_of_a_run = sizeof(format::run_header) + format::front_bytes(format::together, 1);
  const std::size_t packets = tagged.size() / (1 + bytes);
  if (packets <= bytes_of_a_run) return false;
  ends_ = {};
  for (std::size_t at = 0; at != tagged.size(); at += 1 + bytes) ++ends_[static_cast<std::size_t>(tagged[at])];
  std::size_t names = 0;
  for (const std::uint32_t count : ends_) names += count != 0 ? 1 : 0;
  if (packets <= names * bytes_of_a_run) return false;

  // First where each begins; each is its end when its packets are in place.
  std::uint32_t begin = 0;
  for (std::uint32_t& end : ends_) {
    const auto own = end * static_cast<std::uint32_t>(bytes);
    end = begin;
    begin += own;
  }
  if (sorted_.size() < begin) sorted_.resize(begin);
  switch (bytes) {
    case 4:
      move<4>(tagged, bytes);
      break;
    case 8:
      move<8>(tagged, bytes);
      break;
    case 16:
      move<16>(tagged, bytes);
      break;
    default:
      move<0>(tagged, bytes);
  }
  return true;
}

template <std::size_t known_bytes>
void by_destination::move(std::span<const std::byte> tagged, std::size_t bytes) {
  const std::size_t each = known_bytes != 0 ? known_bytes : bytes;
  const std::byte* const end = tagged.data() + tagged.size();
  for (const std::byte* at = tagged.data(); at != end; at += 1 + each) {
    std::uint32_t& place = ends_[static_cast<std::size_t>(*at)];
    std::memcpy(sorted_.data() + place, at + 1, each);
    place += static_cast<std::uint32_t>(each);
  }
}

}  // namespace tsubu::message
