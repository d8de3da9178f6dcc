// How the bytes of a bulk reach their place when the PEs share memory.
//
// In the sender's process they are copied from where they lie. From another process they come behind their head in
// pieces (ring_set.hpp), and the head is handed out with the last; or the system copies them, as
// shared_group::goes_in_pieces() says.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/transport/shared/batch_arena.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/shared/process_copy.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class bulk_landing {
 public:
  explicit bulk_landing(shared_group& shared) : shared_(shared) {}

  // Whether what comes next may be a piece.
  bool has_begun() const { return begun_ != 0; }

  // Takes what came out of the ring from that PE while it is a bulk's head or has_begun(). Returns what can be handed
  // out, or null. `place` says where a bulk's bytes shall land.
  template <class Place>
  batch* take(batch* arrived, pe_id from, batch_arena& batches, Place place) {
    if (has_begun()) {
      landing& of_sender = landings_[static_cast<std::size_t>(from)];
      if (of_sender.head != nullptr) return take_piece(of_sender, arrived, batches);
    }
    return arrived->is_bulk() ? begin(arrived, from, place) : arrived;
  }

 private:
  // A bulk of which pieces have still to come. What its head says is kept here: the head is the sender's memory.
  struct landing {
    batch* head = nullptr;
    std::byte* place = nullptr;
    std::size_t bytes = 0;  // of the bulk
    std::size_t there = 0;  // of them
  };

  template <class Place>
  batch* begin(batch* head, pe_id from, Place place) {
    const std::size_t bytes = head->bulk_bytes;
    const std::byte* source = head->bulk_data;
    shared_.check(bytes < most_bytes, "the head of a bulk arrived that is longer than a bulk can be");
    std::byte* where = place(std::span<const std::byte>(head->data(), head->size), bytes);
    if (!shared_.is_own_process(from) && shared_.goes_in_pieces(from, bytes)) {
      landings_.resize(shared_.pe_count());
      landings_[static_cast<std::size_t>(from)] = {head, where, bytes, 0};
      ++begun_;
      return nullptr;
    }
    if (shared_.is_own_process(from)) {
      std::memcpy(where, source, bytes);
    } else {
      shared_.check(copy_from_process(shared_.pid_of(from), where, source, bytes),
                    "the bytes of a bulk cannot be read from the memory of the process that sends them");
    }
    return landed(head, where, bytes);
  }

  batch* take_piece(landing& l, batch* piece, batch_arena& batches) {
    const std::size_t bytes = piece->size;
    shared_.check(bytes != 0 && bytes <= l.bytes - l.there, "a piece of a bulk has a wrong length");
    std::memcpy(l.place + l.there, piece->data(), bytes);
    l.there += bytes;
    batches.give_back(piece);
    if (l.there != l.bytes) return nullptr;
    --begun_;
    return landed(std::exchange(l.head, nullptr), l.place, l.bytes);
  }

  static batch* landed(batch* head, std::byte* where, std::size_t bytes) {
    head->bulk_data = where;
    head->bulk_bytes = bytes;
    return head;
  }

  static constexpr std::size_t most_bytes = std::size_t{1} << 40;

  shared_group& shared_;
  std::vector<landing> landings_;  // by sender; empty until one is needed
  int begun_ = 0;                  // how many have a head
};

}  // namespace tsubu::transport
