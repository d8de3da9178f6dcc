// The arrived batches that a PE does not release yet, because it still has packets of them that are for other PEs.
//
// A PE on a grid passes on what is not for it. When the next link has no credit, what was copied from an arrived batch
// waits, and without a bound it would pile up here. So the arrived batch is *held*: its sender goes on counting it as
// on the way, and is held back in its turn. What a PE keeps for others is then bounded by the windows of its
// neighbours.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class held_arrivals {
 public:
  struct held {
    transport::batch* arrival;
    int waiting;  // batches with packets of it that wait for credit; and one, if its bulk is on its way
    std::list<held>::iterator self;
  };

  explicit held_arrivals(transport::transport& below) : transport_(below) {}
  held_arrivals(const held_arrivals&) = delete;
  held_arrivals& operator=(const held_arrivals&) = delete;

  // Between these two, `arrival` is being executed. The second releases it, unless it is held.
  void begin(transport::batch* arrival) { executing_ = arrival; }
  void end();

  // Between these two, what this PE sends are packets of `arrival` that it passes on.
  void begin_forwarding() { forwarding_ = true; }
  void end_forwarding() { forwarding_ = false; }

  // One more batch with packets of what is being passed on has to wait. Null if nothing is: what handlers send holds
  // nothing, for it goes over any link, and links would wait for each other in a circle.
  held* hold() { return forwarding_ ? hold_executing() : nullptr; }
  // One waits no longer.
  void let_go(held& h);

  // Keeps the bytes of the bulk that is being executed until they have left for the next PE, as whose source they are
  // returned; its head is held as long.
  transport::bulk_source keep(std::unique_ptr<std::byte[]> bytes, std::size_t size);
  std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  struct bulk {
    held_arrivals* keeper;
    held* head;
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
    std::list<bulk>::iterator self;
  };
  held* hold_executing();
  static void forget(void* passed);

  transport::transport& transport_;

  // What is being executed; null between two batches. of_executing_ is its element of held_, or null if it is not held.
  transport::batch* executing_ = nullptr;
  held* of_executing_ = nullptr;
  bool forwarding_ = false;

  std::list<held> held_;  // each with waiting > 0
  std::list<bulk> bulks_;
  std::size_t kept_bytes_ = 0;  // of all in bulks_
};

}  // namespace tsubu::message
