// What waits for room: batches of one PE beyond those that may be on the way to their destination.
//
// First in, first out, per destination. A batch waits in memory or, once its PE's message memory has
// reached its limit, in a file (EULASH kept shared memory behind local memory, and the disk behind that).
// What is spilled is what came last, so that it lies there while the others go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <unordered_map>
#include <vector>

#include "tsubu/message/passage.hpp"
#include "tsubu/message/spill_file.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class overflow {
 public:
  struct item {
    transport::batch* batch;        // the head, if it comes with a bulk
    transport::bulk_source source;  // its bulk; no bytes if it has none
    passage::detained* detains = nullptr;
  };

  explicit overflow(transport::transport& below) : transport_(below), file_(below.batch_bytes()) {}
  overflow(const overflow&) = delete;
  overflow& operator=(const overflow&) = delete;

  bool empty() const { return destinations_.empty(); }
  // That something waits for. A pop() that takes the last for one may move the last of the list into its place.
  const std::vector<pe_id>& destinations() const { return destinations_; }
  bool has(pe_id to) const { return queues_.contains(to); }

  void push(pe_id to, item waiting);
  item pop(pe_id to);  // something waits for `to`

  // Moves what was pushed last for `to` into the file.
  void spill_last(pe_id to);

  // Keeps the bytes of a message that outgrew its batch until they have left this PE, as the source of a bulk.
  transport::bulk_source keep(std::vector<std::byte> bytes);
  std::size_t kept_bytes() const { return kept_bytes_; }

  std::uint64_t spilled_bytes() const { return file_.bytes(); }
  std::uint64_t waiting_bytes(pe_id to) const;
  // Calls f(batch's bytes, bytes of its bulk) for the first 1,000 that wait for `to`: for reports.
  template <class F>
  void for_each(pe_id to, F f) const {
    std::vector<std::byte> read(transport_.batch_bytes());
    int left = 1000;
    for (const entry& e : queues_.at(to).entries) {
      if (--left < 0) return;
      std::span<const std::byte> bytes;
      if (e.spilled) {
        file_.read(e.batch_place, std::span(read).first(e.batch_size));
        bytes = std::span(read).first(e.batch_size);
      } else {
        bytes = {e.what.batch->data(), e.batch_size};
      }
      f(bytes, bytes_of(e) - e.batch_size);
    }
  }

 private:
  struct entry {
    item what;
    bool spilled = false;
    std::uint32_t batch_size = 0;
    spill_file::place batch_place;
    std::size_t payload_bytes = 0;  // kept by us
    spill_file::place payload_place;
  };
  struct payload {
    std::vector<std::byte> bytes;
    overflow* keeper;
    std::list<payload>::iterator self;
  };
  struct queue {
    std::deque<entry> entries;
    std::uint64_t bytes = 0;
  };
  static void forget(void* kept);
  static std::uint64_t bytes_of(const entry& e) { return e.batch_size + e.what.source.bytes.size() + e.payload_bytes; }

  transport::transport& transport_;
  spill_file file_;
  std::list<payload> kept_;
  std::size_t kept_bytes_ = 0;
  std::unordered_map<pe_id, queue> queues_;  // none is empty
  std::vector<pe_id> destinations_;          // their keys
};

}  // namespace tsubu::message
