// Room on the way: what a link takes no more waits in the overflow, in memory or in a file, and goes as the link's
// window opens; who cares about room is told there is some when half the window is open again.
#include <algorithm>
#include <cstdio>

#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/overflow.hpp"

namespace tsubu::message {

bool endpoint::room_on_the_way(int link) const {
  const outgoing* const o = out_if_any(link);
  return (o == nullptr || !o->waits) && on_the_way(link) < stall_limit_;
}

bool endpoint::has_waiting() const { return !overflow_->empty(); }

void endpoint::hold_back(int link, transport::batch* b, const transport::bulk_source& source) {
  out(link).waits = true;
  posted_since_run_ = true;
  // Only for what it passes on: its handlers' sends go over any link, and links would wait for each other in a circle.
  overflow_->push(link, {b, source, passing_on_ ? passage_->detain() : nullptr});
  const std::size_t in_use =
      transport_.bytes_in_use() + overflow_->kept_bytes() + (passage_ ? passage_->kept_bytes() : 0);
  peak_bytes_ = std::max(peak_bytes_, in_use);
  if (in_use <= keep_in_memory_) return;
  if (!warned_) {
    warned_ = true;
    std::fprintf(stderr, "tsubu: PE %d: %zu bytes of messages wait in memory, the rest goes to a file: %s\n", pe_,
                 in_use, heaviest_waiting().c_str());
  }
  overflow_->spill_last(link);
  if (overflow_->spilled_bytes() > most_.spill_bytes) {
    fail("more than " + std::to_string(most_.spill_bytes) +
         " bytes of messages wait in a file (--tsubu-spill): " + heaviest_waiting());
  }
}

void endpoint::send_held_back() {
  // From the back: a destination that nothing waits for any more leaves the list.
  for (std::size_t i = overflow_->destinations().size(); i-- > 0;) {
    const int link = overflow_->destinations()[i];
    outgoing& o = out(link);
    o.waits = false;
    // No more than fit at once: what is released meanwhile comes back to this PE's memory only when it polls.
    for (int n = 0; n < stall_limit_ && overflow_->has(link) && room_on_the_way(link); ++n) {
      const overflow::item first = overflow_->pop(link);
      deliver(link, first.batch, first.source);
      if (first.detains != nullptr) passage_->let_go(*first.detains);
    }
    o.waits = overflow_->has(link);
  }
}

// The link for which most waits, and the handler with the most bytes of that.
std::string endpoint::heaviest_waiting() const {
  int heaviest = -1;
  for (const int link : overflow_->destinations()) {
    if (heaviest < 0 || overflow_->waiting_bytes(link) > overflow_->waiting_bytes(heaviest)) heaviest = link;
  }
  if (heaviest < 0) return "none waits";
  std::vector<std::uint64_t> bytes(handlers_.size());
  overflow_->for_each(heaviest, [&](std::span<const std::byte> batch, std::uint64_t bulk_bytes) {
    while (!batch.empty()) {
      run_header header;
      std::memcpy(&header, batch.data(), sizeof header);
      bytes[header.handler & number_bits] += header.bytes + bulk_bytes;
      batch = batch.subspan(sizeof header + header.bytes);
    }
  });
  const auto most = static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  std::string text = std::to_string(overflow_->waiting_bytes(heaviest)) + " bytes for PE " +
                     std::to_string(pe_at(heaviest)) + (routed() ? " and those behind it" : "");
  if (bytes[most] != 0) text += ", most of them for " + wire::readable_name(*handlers_[most]);
  return text;
}

bool endpoint::unstall_all() {
  for (std::size_t i = stalled_.size(); i-- > 0;) unstall(stalled_[i]);
  return stalled_.empty();
}

bool endpoint::unstall(int link) {
  if (posted_since_run_) return false;
  outgoing& o = out(link);
  if (o.waits) return false;
  if (o.full && on_the_way(link) >= stall_limit_ / 2) return false;
  o.full = o.stalled = false;
  std::erase(stalled_, link);
  return true;
}

}  // namespace tsubu::message
