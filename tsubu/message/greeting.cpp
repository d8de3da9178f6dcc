// Before anything else is executed, the PEs find out whether they run the same program, and send in the same way.
//
// A greeting is a run of number 0. They go up the tree of PEs and, when all agree, down again.
#include "tsubu/base/tree.hpp"
#include "tsubu/message/endpoint.hpp"

namespace tsubu::message {
namespace {

struct greeting {
  std::uint64_t digest;
  std::uint32_t handlers;
  std::int32_t hops;
};

}  // namespace

void endpoint::greet() {
  const greeting mine{wire::handlers_digest(), static_cast<std::uint32_t>(handlers_.size() - 1), grid_.hops()};
  auto send_greeting = [&](pe_id to) {
    transport::batch* b = transport_.acquire();
    const run_header header{wire::greeting_number, sizeof mine};
    std::memcpy(b->data(), &header, sizeof header);
    std::memcpy(b->data() + sizeof header, &mine, sizeof mine);
    b->size = sizeof header + sizeof mine;
    transport_.post(b, to);
  };
  auto hear = [&](int awaited) {
    while (awaited > 0) {
      transport::batch* b = transport_.poll();
      if (b == nullptr) {
        transport_.wait(1000);
        continue;
      }
      run_header header{};
      greeting theirs{};
      if (b->size >= sizeof header) std::memcpy(&header, b->data(), sizeof header);
      if (header.handler != wire::greeting_number) {
        // From a PE that has heard that all agree, before this one has.
        if (pe_ == 0) fail("PE " + std::to_string(b->from) + " sent a message before it was greeted");
        early_.push(b);
        continue;
      }
      require(b->size == sizeof header + sizeof theirs,
              "a greeting of {} bytes from PE {}; is it built with another Tsubu?", b->size, b->from);
      std::memcpy(&theirs, b->data() + sizeof header, sizeof theirs);
      if (theirs.digest != mine.digest) {
        fail("PE " + std::to_string(b->from) + " runs another program than PE " + std::to_string(pe_) + ": it has " +
             std::to_string(theirs.handlers) + " handlers, this one " + std::to_string(mine.handlers) +
             ", and their digests differ. Start the same binary on all PEs.");
      }
      if (theirs.hops != mine.hops) {
        fail("PE " + std::to_string(b->from) + " sends over " + std::to_string(theirs.hops) + " hops, PE " +
             std::to_string(pe_) + " over " + std::to_string(mine.hops) + ": give all the same --tsubu-hops");
      }
      --awaited;
      transport_.release(b);
    }
  };
  hear(count_children(pe_, pe_count_));
  if (pe_ != 0) {
    send_greeting(tree_parent(pe_));
    hear(1);
  }
  for_each_child(pe_, pe_count_, send_greeting);
}

}  // namespace tsubu::message
