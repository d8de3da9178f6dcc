// The sources of a PE's bulks to PEs that it shares memory with: who is to be told when the bytes have been taken.
//
// However they are taken (bulk_landing.hpp), the receiver gives the head back as any batch when it is done with it. So
// a head that has come back says that its source may be used again.
#pragma once

#include <cstddef>
#include <vector>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class bulk_sources {
 public:
  // Makes `head` say where its bytes are, and remembers who wants to hear of them.
  void offer(batch* head, const bulk_source& source) {
    head->bulk_data = const_cast<std::byte*>(source.bytes.data());
    head->bulk_bytes = source.bytes.size();
    if (source.done != nullptr) offered_.push_back({head, source.done, source.argument});
  }

  // The bytes of `head` have been taken. May call the program's done(), which may offer the next.
  void tell(const batch* head) {
    for (std::size_t i = 0; i < offered_.size(); ++i) {
      if (offered_[i].head != head) continue;
      const offer_made told = offered_[i];
      offered_[i] = offered_.back();
      offered_.pop_back();
      told.done(told.argument);
      return;
    }
  }

 private:
  struct offer_made {
    const batch* head;
    void (*done)(void*);
    void* argument;
  };

  std::vector<offer_made> offered_;  // whose bytes have not been taken yet, as far as this PE has heard
};

}  // namespace tsubu::transport
