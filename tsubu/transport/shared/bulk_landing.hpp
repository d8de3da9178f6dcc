// How the bytes of a bulk reach their place when the PEs share memory.
//
// In the sender's process they are copied from where they lie. From another process they come behind their head in
// pieces (ring_set.hpp), and the head is handed out with the last; or the system copies them, as
// shared_group::goes_in_pieces() says.
#pragma once

#include <cstddef>
#include <cstring>
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

  // Takes what came out of a ring while it is a bulk's head or has_begun(). Returns what can be handed out, or null.
  // `place` says where a bulk's bytes shall land.
  template <class Place>
  batch* take(batch* arrived, batch_arena& batches, Place place) {
    if (has_begun()) {
      landing& of_sender = landings_[static_cast<std::size_t>(arrived->from)];
      if (of_sender.head != nullptr) return take_piece(of_sender, arrived, batches);
    }
    return arrived->is_bulk() ? begin(arrived, place) : arrived;
  }

 private:
  // A bulk of which pieces have still to come.
  struct landing {
    batch* head = nullptr;
    std::size_t bytes = 0;  // of the bulk
    std::size_t there = 0;  // of them
  };

  template <class Place>
  batch* begin(batch* head, Place place) {
    const std::size_t bytes = head->bulk_bytes;
    shared_.check(bytes < most_bytes, "the head of a bulk arrived that is longer than a bulk can be");
    const std::byte* source = head->bulk_data;
    head->bulk_data = place(head);
    if (shared_.is_own_process(head->from)) {
      std::memcpy(head->bulk_data, source, bytes);
      return head;
    }
    if (!shared_.goes_in_pieces(head->from, bytes)) {
      shared_.check(copy_from_process(shared_.pid_of(head->from), head->bulk_data, source, bytes),
                    "the bytes of a bulk cannot be read from the memory of the process that sends them");
      return head;
    }
    landings_.resize(shared_.pe_count());
    landings_[static_cast<std::size_t>(head->from)] = {head, bytes, 0};
    ++begun_;
    return nullptr;
  }

  batch* take_piece(landing& l, batch* piece, batch_arena& batches) {
    shared_.check(piece->size != 0 && piece->size <= l.bytes - l.there, "a piece of a bulk has a wrong length");
    std::memcpy(l.head->bulk_data + l.there, piece->data(), piece->size);
    l.there += piece->size;
    batches.give_back(piece);
    if (l.there != l.bytes) return nullptr;
    --begun_;
    return std::exchange(l.head, nullptr);
  }

  static constexpr std::size_t most_bytes = std::size_t{1} << 40;

  shared_group& shared_;
  std::vector<landing> landings_;  // by sender; empty until one is needed
  int begun_ = 0;                  // how many have a head
};

}  // namespace tsubu::transport
