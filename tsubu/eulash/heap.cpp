#include "tsubu/eulash/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/data/variables/shared.hpp"
#include "tsubu/eulash/block.hpp"
#include "tsubu/eulash/place.hpp"
#include "tsubu/eulash/races.hpp"

namespace tsubu::placed {
namespace {

constexpr std::uint32_t default_block = 4096;
constexpr std::uint64_t most_told = 32;  // blocks at a time

// Sizes are few, so that what was freed fits what comes: lines up to 16 of them, then eight sizes for each doubling.
std::uint64_t rounded(std::uint64_t bytes) {
  const std::uint64_t lines = std::max<std::uint64_t>((bytes + EULASH_LINE - 1) / EULASH_LINE, 1);
  if (lines <= 16) return lines * EULASH_LINE;
  const std::uint64_t step = std::bit_floor(lines) / 8;
  return (lines + step - 1) / step * step * EULASH_LINE;
}

protocol protocol_of(const eulash_site& site) {
  switch (site.protocol) {
    case EULASH_INVALIDATE:
      return protocol::invalidate;
    case EULASH_MOBILE:
      return protocol::mobile;
    case EULASH_UPDATE_PROTOCOL:
      return protocol::update;
    case EULASH_GLOBAL_PROTOCOL:
      return protocol::global;
  }
  fail("a site of shared memory names no protocol");
}

std::uint32_t block_bytes_of(const eulash_site& site, std::uint64_t bytes) {
  require(site.block_bytes % EULASH_LINE == 0,
          "a site of shared memory asks for blocks of {} bytes, not of whole lines", site.block_bytes);
  const std::uint32_t wanted = site.block_bytes != 0 ? site.block_bytes : default_block;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, bytes));
}

}  // namespace

std::string describe(const allocation& of) {
  return fmt::format("{} bytes of {} ({}:{})", of.asked, of.site->name, of.site->where.file, of.site->where.line);
}

std::uint64_t heap::bytes_taken(std::uint64_t bytes) { return rounded(bytes); }

heap::heap() : part_(views->where.part_of(this_pe())), next_(part_.begin) {}

std::uint64_t heap::take(std::uint64_t bytes, std::uint64_t alignment) {
  const auto same = free_.find(bytes);
  if (same != free_.end() && alignment <= EULASH_LINE) {
    const std::uint64_t at = same->second.back();
    same->second.pop_back();
    if (same->second.empty()) free_.erase(same);
    return at;
  }
  const std::uint64_t at = (next_ + alignment - 1) & ~(alignment - 1);
  if (at >= part_.end() || bytes > part_.end() - at) return nowhere;
  next_ = at + bytes;
  return at;
}

std::uint64_t heap::allocate(std::uint64_t bytes, std::uint64_t alignment, const eulash_site& site, bool zeroed) {
  if (bytes > part_.bytes) return nowhere;
  const std::uint64_t whole = rounded(bytes);
  const std::uint64_t fresh = next_;
  const std::uint64_t at = take(whole, std::max<std::uint64_t>(alignment, EULASH_LINE));
  if (at == nowhere) return nowhere;
  if (zeroed && at < fresh) std::memset(views->at(at), 0, whole);
  if (looks_for_races()) races_of_job().allocated(views->where.address_of(at), whole, site);
  allocations_.emplace(at, allocation{whole, bytes, block_bytes_of(site, whole), false, &site, protocol_of(site), {}});
  if (views->marks) {
    views->mark(at, whole, line_state::writable);
  } else {
    allocation& made = allocations_.at(at);
    for (std::uint64_t i = 0; i * made.block_bytes < whole; ++i) key_of(at, made, i);
  }
  return at;
}

heap::found heap::find(std::uint64_t offset) {
  auto behind = allocations_.upper_bound(offset);
  if (behind == allocations_.begin()) return {};
  --behind;
  if (offset - behind->first >= behind->second.bytes) return {};
  return {behind->first, &behind->second};
}

data::key heap::key_of(std::uint64_t first, allocation& of, std::uint64_t number) {
  if (of.keys.empty()) of.keys.resize((of.bytes + of.block_bytes - 1) / of.block_bytes);
  data::key& key = of.keys[number];
  if (key == data::key()) {
    const std::uint64_t begin = number * of.block_bytes;
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(of.block_bytes, of.bytes - begin));
    key = create_shared(protocol_of(*of.site), block(first + begin, bytes), source_location_of(of.site->where)).name();
    of.how = data::this_space().variables.find(key)->how;
  }
  return key;
}

told_allocation heap::tell(std::uint64_t offset) {
  const found f = find(offset);
  if (f.of == nullptr || f.of->ends) return {};
  const std::uint64_t from = f.of->block_of(offset - f.first);
  const std::uint64_t blocks = (f.of->bytes + f.of->block_bytes - 1) / f.of->block_bytes;
  told_allocation told{f.first, f.of->bytes, f.of->block_bytes, static_cast<std::uint32_t>(from), f.of->how, {}};
  for (std::uint64_t i = from; i < std::min(blocks, from + most_told); ++i) {
    told.keys.push_back(key_of(f.first, *f.of, i));
  }
  told.how = f.of->how;
  return told;
}

task<void> heap::release(std::uint64_t first, pe_id who) {
  const auto at = allocations_.find(first);
  require(at != allocations_.end(), "a thread of process {} frees {}, where nothing begins that was allocated", who,
          [&] { return fmt::format("{:#x}", views->where.address_of(first)); });
  require(!at->second.ends, "a thread of process {} frees {} a second time", who, [&] { return describe(at->second); });
  at->second.ends = true;
  const std::vector<data::key> keys = at->second.keys;
  for (const data::key key : keys) {
    if (key != data::key()) co_await shared<block>(key).end();
  }
  const auto now = allocations_.find(first);
  const std::uint64_t bytes = now->second.bytes;
  views->mark(first, bytes, line_state::unknown);
  allocations_.erase(now);
  free_[bytes].push_back(first);
}

}  // namespace tsubu::placed
