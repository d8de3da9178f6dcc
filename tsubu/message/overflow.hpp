// What waits for credit: batches of one PE beyond those that may be on the way to their destination.
//
// A send never blocks and is never refused, so what a link takes no more has to wait here: first in, first out, per
// link. A batch waits in memory or, once its PE's message memory has reached its limit, in a file (EULASH kept shared
// memory behind local memory, and the disk behind that). What is spilled is what came last, so that it lies there while
// the others go first. When the file has reached its limit too, the job ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "tsubu/message/held_arrivals.hpp"
#include "tsubu/message/link_map.hpp"
#include "tsubu/message/spill_file.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class overflow {
 public:
  struct item {
    transport::batch* batch;        // the head, if it comes with a bulk
    transport::bulk_source source;  // its bulk; no bytes if it has none
    held_arrivals::held* holds = nullptr;
  };

  // memory_bytes: of batches in use, here and elsewhere, and of kept bytes, above which batches go to the file.
  // spill_bytes: of the file, above which the job ends.
  overflow(transport::transport& below, const link_map& links, std::size_t memory_bytes, std::size_t spill_bytes)
      : transport_(below),
        links_(links),
        memory_bytes_(memory_bytes),
        spill_bytes_(spill_bytes),
        file_(below.batch_bytes()) {}
  overflow(const overflow&) = delete;
  overflow& operator=(const overflow&) = delete;

  bool empty() const { return waited_for_.empty(); }
  // The links that something waits for. A pop() that takes the last for one may move the last of the list into its
  // place.
  const std::vector<int>& links() const { return waited_for_; }
  bool has(int link) const { return queues_.contains(link); }

  // Holds one more back, in memory or in the file; kept_elsewhere: bytes that this PE keeps for the sake of messages,
  // which neither the transport nor this overflow knows of.
  void push(int link, item waiting, std::size_t kept_elsewhere);
  item pop(int link);  // something waits for `link`

  // Keeps the bytes of a message that outgrew its batch until they have left this PE, as the source of a bulk.
  transport::bulk_source keep(std::vector<std::byte> bytes);
  // Those that have not left, as far as it has heard.
  std::size_t kept_bytes() const { return kept_bytes_; }

  // The most bytes of messages that its PE has held in its memory when something had to wait.
  std::size_t peak_bytes() const { return peak_bytes_; }

 private:
  struct entry {
    item what;
    bool spilled = false;
    std::uint32_t batch_size = 0;
    spill_file::place batch_place;
    std::size_t payload_bytes = 0;  // that this overflow keeps
    spill_file::place payload_place;
  };
  struct payload {
    std::vector<std::byte> bytes;
    overflow* keeper;
    std::list<payload>::iterator self;
  };
  struct queue {
    std::deque<entry> entries;
    std::uint64_t bytes = 0;  // of all entries, wherever they lie
  };
  static void forget(void* kept);
  static std::uint64_t bytes_of(const entry& e) { return e.batch_size + e.what.source.bytes.size() + e.payload_bytes; }
  void spill_last(int link);
  std::uint64_t waiting_bytes(int link) const;
  std::string heaviest() const;
  // Calls f(batch's bytes, bytes of its bulk) for the first 1,000 that wait for `link`: for reports.
  template <class F>
  void for_each(int link, F f) const;

  // Constant after construction.
  transport::transport& transport_;
  link_map links_;
  std::size_t memory_bytes_;
  std::size_t spill_bytes_;

  // No queue is empty, and waited_for_ are their keys.
  std::unordered_map<int, queue> queues_;
  std::vector<int> waited_for_;

  // The bytes of messages that outgrew their batch, waiting or on the way; kept_bytes_ is their sum.
  std::list<payload> kept_;
  std::size_t kept_bytes_ = 0;

  spill_file file_;  // of the entries that are spilled
  std::size_t peak_bytes_ = 0;
  bool warned_ = false;  // that something is spilled
};

}  // namespace tsubu::message
