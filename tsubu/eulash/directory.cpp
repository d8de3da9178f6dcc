#include "tsubu/eulash/directory.hpp"

#include <algorithm>

namespace tsubu::placed {

known_block directory::look(std::uint64_t offset) {
  const auto& where = views->where;
  if (offset >= where.span()) return {};
  if (where.home_of(offset) == views->me) {
    const heap::found f = heaps->find(offset);
    if (f.of == nullptr) return {};
    const std::uint64_t number = f.of->block_of(offset - f.first), begin = number * f.of->block_bytes;
    return {f.first + begin,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(f.of->block_bytes, f.of->bytes - begin)),
            f.of->keys.empty() ? data::key() : f.of->keys[number], f.of->how};
  }
  auto at = others_.upper_bound(offset);
  if (at == others_.begin()) return {};
  --at;
  const others& of = at->second;
  if (offset - at->first >= of.bytes) return {};
  const std::uint64_t number = (offset - at->first) / of.block_bytes, begin = number * of.block_bytes;
  if (of.keys[number] == data::key()) return {};
  return {at->first + begin, static_cast<std::uint32_t>(std::min<std::uint64_t>(of.block_bytes, of.bytes - begin)),
          of.keys[number], of.how};
}

void directory::learn(const told_allocation& told) {
  // What overlaps was freed.
  auto at = others_.lower_bound(told.first + told.bytes);
  while (at != others_.begin()) {
    const auto before = std::prev(at);
    const bool same = before->first == told.first && before->second.bytes == told.bytes &&
                      before->second.block_bytes == told.block_bytes;
    if (same || before->first + before->second.bytes <= told.first) break;
    at = others_.erase(before);
  }
  others& of = others_[told.first];
  if (of.keys.empty()) {
    of = {told.bytes, told.block_bytes, told.how, {}};
    of.keys.resize((told.bytes + told.block_bytes - 1) / told.block_bytes);
  }
  for (std::size_t i = 0; i < told.keys.size(); ++i) of.keys.at(told.first_told + i) = told.keys[i];
}

void directory::forget(std::uint64_t offset) {
  auto at = others_.upper_bound(offset);
  if (at != others_.begin()) others_.erase(std::prev(at));
}

}  // namespace tsubu::placed
