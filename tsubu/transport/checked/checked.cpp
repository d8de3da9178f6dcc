#include "tsubu/transport/checked/checked.hpp"

#include <xxhash.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tsubu/base/check.hpp"

namespace tsubu::transport {
namespace {

struct trailer {
  std::uint64_t bulk;  // of the bytes of the bulk; 0 if there is none
  std::uint64_t all;   // of the batch and of `bulk`
};
static_assert(sizeof(trailer) == checked::trailer_bytes);

// A batch that comes to another PE, or seems to come from another, is not what was posted.
std::uint64_t sum(std::span<const std::byte> bytes, pe_id from, pe_id to) {
  const std::uint64_t pair = std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), pair);
}

// Until it has left.
struct kept_bulk {
  std::vector<std::byte> bytes;
  bulk_source source;

  explicit kept_bulk(const bulk_source& of) : bytes(of.bytes.begin(), of.bytes.end()), source(of) {}
  static void end(void* kept) {
    const std::unique_ptr<kept_bulk> mine(static_cast<kept_bulk*>(kept));
    if (mine->source.done != nullptr) mine->source.done(mine->source.argument);
  }
};

}  // namespace

checked::checked(transport& below) : layer(below) { batch_bytes_ -= trailer_bytes; }

batch* checked::sealed(batch* b, pe_id to, std::uint64_t bulk) {
  const std::uint32_t size = b->size;
  b = layer::with_room_for(size + trailer_bytes, b, size);
  std::byte* const end = b->data() + size;
  std::memcpy(end, &bulk, sizeof bulk);
  const std::uint64_t all = sum({b->data(), size + sizeof bulk}, pe_, to);
  std::memcpy(end + sizeof bulk, &all, sizeof all);
  b->size = size + static_cast<std::uint32_t>(trailer_bytes);
  return b;
}

int checked::post(batch* filled, pe_id to) { return layer::post(sealed(filled, to, 0), to); }

// A bulk may leave long after it was posted, and from memory that other PEs write meanwhile: what is summed is a copy.
int checked::post_bulk(batch* head, pe_id to, bulk_source source) {
  auto kept = std::make_unique<kept_bulk>(source);
  const std::span<const std::byte> bytes = kept->bytes;
  head = sealed(head, to, sum(bytes, pe_, to));
  return layer::post_bulk(head, to, {bytes, kept_bulk::end, kept.release()});
}

batch* checked::poll() {
  batch* const b = layer::poll();
  if (b == nullptr) return nullptr;
  const std::size_t size = checked_size(b->from, {b->data(), b->size});
  trailer end;
  std::memcpy(&end, b->data() + size, sizeof end);
  const std::uint64_t bulk = b->is_bulk() ? sum({b->bulk_data, b->bulk_bytes}, b->from, pe_) : 0;
  if (bulk != end.bulk) damaged(b->from, b->is_bulk() ? "a bulk" : "a batch without its bulk,", b->bulk_bytes);
  b->size = static_cast<std::uint32_t>(size);
  return b;
}

std::size_t checked::checked_size(pe_id from, std::span<const std::byte> bytes) const {
  std::uint64_t all = 0;
  if (bytes.size() < sizeof(trailer)) damaged(from, "a batch", bytes.size());
  const std::size_t summed = bytes.size() - sizeof all;
  std::memcpy(&all, bytes.data() + summed, sizeof all);
  if (all != sum(bytes.first(summed), from, pe_)) damaged(from, "a batch", bytes.size());
  return bytes.size() - sizeof(trailer);
}

void checked::damaged(pe_id from, const char* what, std::size_t bytes) const {
  fail(std::string(what) + " of " + std::to_string(bytes) + " bytes from PE " + std::to_string(from) +
       " is not what was sent: its checksum differs, or PE " + std::to_string(from) +
       " runs without --tsubu-checksum, which all PEs must have");
}

std::byte* checked::place(pe_id from, std::span<const std::byte> head, std::size_t bytes) {
  return layer::place(from, head.first(checked_size(from, head)), bytes);
}

message_facts checked::facts_of(batch& posted, std::size_t bulk_bytes) const {
  const auto taken = static_cast<std::uint32_t>(trailer_bytes);
  posted.size -= taken;
  const message_facts facts = layer::facts_of(posted, bulk_bytes);
  posted.size += taken;
  return facts;
}

}  // namespace tsubu::transport
