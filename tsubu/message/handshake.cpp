// A handshake is a run of number 0. They go up the tree of PEs and, when all agree, down again.
#include "tsubu/message/handshake.hpp"

#include <cstring>
#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/message/batch_format.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {
namespace {

struct hand {
  std::uint64_t digest;
  std::uint32_t handlers;
  std::int32_t hops;
};

void send(transport::transport& below, pe_id to, const hand& mine) {
  transport::batch* b = below.acquire();
  const format::run_header header{wire::handshake_number, sizeof mine};
  format::write(b->data(), header);
  std::memcpy(b->data() + sizeof header, &mine, sizeof mine);
  b->size = sizeof header + sizeof mine;
  below.post(b, to);
}

void compare(const hand& mine, pe_id own, const hand& theirs, pe_id from) {
  if (theirs.digest != mine.digest) {
    fail("PE " + std::to_string(from) + " runs another program than PE " + std::to_string(own) + ": it has " +
         std::to_string(theirs.handlers) + " handlers, this one " + std::to_string(mine.handlers) +
         ", and their digests differ. Start the same binary on all PEs.");
  }
  if (theirs.hops != mine.hops) {
    fail("PE " + std::to_string(from) + " sends over " + std::to_string(theirs.hops) + " hops, PE " +
         std::to_string(own) + " over " + std::to_string(mine.hops) + ": give all the same --tsubu-hops");
  }
}

bool is_message(const format::run_header& header) {
  const std::uint32_t code = header.handler & format::code_bits;
  const std::uint32_t number = wire::number_in(code);
  return number != wire::handshake_number && number < wire::handlers().size() && code == wire::handlers()[number]->code;
}

// Waits for the handshakes of so many PEs.
void hear(transport::transport& below, transport::batch_queue& early, const hand& mine, int awaited) {
  for (int polls = below.spin_polls(); awaited > 0;) {
    transport::batch* b = below.poll();
    if (b == nullptr) {
      if (--polls < 0) below.wait(1000);
      continue;
    }
    format::run_header header{};
    hand theirs{};
    if (b->size >= sizeof header) header = format::read(b->data());
    if (header.handler != wire::handshake_number) {
      // A damaged handshake would be waited for on and on.
      if (!is_message(header)) fail("PE " + std::to_string(b->from) + " sent neither a handshake nor a message");
      // From a PE that has heard that all agree, before this one has.
      if (below.pe() == 0) fail("PE " + std::to_string(b->from) + " sent a message before the handshake with it");
      early.push(b);
      continue;
    }
    require(b->size == sizeof header + sizeof theirs,
            "a handshake of {} bytes from PE {}; is it built with another Tsubu, or was --tsubu-checksum given to some "
            "only?",
            b->size, b->from);
    std::memcpy(&theirs, b->data() + sizeof header, sizeof theirs);
    compare(mine, below.pe(), theirs, b->from);
    --awaited;
    below.release(b);
  }
}

}  // namespace

void shake_hands(transport::transport& below, transport::batch_queue& early) {
  const hand mine{wire::handlers_digest(), static_cast<std::uint32_t>(wire::handlers().size() - 1), below.hops()};
  const pe_id own = below.pe();
  hear(below, early, mine, count_children(own, below.pe_count()));
  if (own != 0) {
    send(below, tree_parent(own), mine);
    hear(below, early, mine, 1);
  }
  for_each_child(own, below.pe_count(), [&](pe_id child) { send(below, child, mine); });
}

}  // namespace tsubu::message
