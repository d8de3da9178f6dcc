// The batches that a PE has sent to itself, until it executes them.
//
// They behave like those that come from elsewhere: they are executed in the order in which they were sent, never inside
// a send, and the bytes of a bulk land when the batches before it have been taken.
#pragma once

#include <cstring>
#include <deque>
#include <memory>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class loopback_queue {
 public:
  bool empty() const { return batches_.empty(); }
  int size() const { return batches_.size(); }

  // `source` has no bytes if `b` is no head of a bulk.
  void push(transport::batch* b, const transport::bulk_source& source) {
    b->bulk_bytes = source.bytes.size();
    batches_.push(b);
    if (source.bytes.empty()) return;
    if (sources_ == nullptr) sources_ = std::make_unique<std::deque<transport::bulk_source>>();
    sources_->push_back(source);
  }

  // Null when empty. Of a head of a bulk, land() is to be called before the next pop().
  transport::batch* pop() { return batches_.pop(); }

  // The same; null, too, when what others have sent is to go first: handlers may send to their own PE for ever.
  transport::batch* pop_in_turn() {
    if (++taken_in_a_row_ <= most_in_a_row) [[likely]] {
      if (transport::batch* const b = batches_.pop()) return b;
    }
    taken_in_a_row_ = 0;
    return nullptr;
  }

  // Copies the bulk of `head`, which pop() has just returned, to where PE `own` says.
  void land(transport::batch* head, pe_id own, transport::receiver& there) {
    const transport::bulk_source source = sources_->front();
    sources_->pop_front();
    head->bulk_data = there.place(own, {head->data(), head->size}, head->bulk_bytes);
    std::memcpy(head->bulk_data, source.bytes.data(), head->bulk_bytes);
    if (source.done != nullptr) source.done(source.argument);
  }

 private:
  static constexpr int most_in_a_row = 64;

  transport::batch_queue batches_;
  int taken_in_a_row_ = 0;
  // One for each head of a bulk in batches_, in the same order. Null until first used.
  std::unique_ptr<std::deque<transport::bulk_source>> sources_;
};

}  // namespace tsubu::message
