// What a PE keeps while it passes on packets of other PEs: the arrived batches that it does not release yet, and the
// bytes of bulks.
//
// A batch whose packets wait here for room on their next link stays *detained*: its sender goes on counting it as on
// the way, and is held back in its turn. So what a PE keeps for others is bounded by the windows of its neighbours.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class passage {
 public:
  struct detained {
    transport::batch* arrival;
    int waiting;  // batches that hold packets of it and wait for room; and one, if its bulk is on its way
    std::list<detained>::iterator self;
  };

  explicit passage(transport::transport& below) : transport_(below) {}
  passage(const passage&) = delete;
  passage& operator=(const passage&) = delete;

  // Between these two, `arrival` is being executed. The second releases it, unless it is detained.
  void begin(transport::batch* arrival) { executing_ = arrival; }
  void end();

  // One more batch with packets of what is being executed has to wait. Null if nothing is.
  detained* detain();
  // One waits no longer.
  void let_go(detained& d);

  // Keeps the bytes of the bulk that is being executed until they have left for the next PE, as whose source they are
  // returned; its head is detained as long.
  transport::bulk_source keep(std::unique_ptr<std::byte[]> bytes, std::size_t size);
  std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  struct bulk {
    passage* keeper;
    detained* head;
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
    std::list<bulk>::iterator self;
  };
  static void forget(void* passed);

  transport::transport& transport_;
  transport::batch* executing_ = nullptr;
  detained* of_executing_ = nullptr;
  std::list<detained> detained_;
  std::list<bulk> bulks_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace tsubu::message
