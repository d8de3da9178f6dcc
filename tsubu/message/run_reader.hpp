// Reads runs that came over the wire, and trusts nothing in them.
//
// A batch may be damaged, or come from another program. Every number in it is checked before it is used, and what no
// correct PE sends ends the job with a line that says where it stands and what is wrong with it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tsubu/message/batch_format.hpp"
#include "tsubu/message/link_map.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

// A run whose header has been read and checked. With tags, `from` and `to` are those of the first packet.
struct arrived_run {
  wire::run packets;  // with their tags, but without one that all have together
  const wire::handler_entry* handler = nullptr;
  bool in_bulk = false;
  pe_id to = no_pe;  // no_pe: all are for this PE
  bool together() const { return to != no_pe && packets.tag_bytes == 0; }
};

class run_reader {
 public:
  // Handlers have their numbers.
  explicit run_reader(const link_map& links) : handlers_(wire::handlers()), links_(links) {}

  std::span<wire::handler_entry* const> handlers() const { return handlers_; }
  // Packets may have tags.
  bool tagged() const { return links_.routed(); }

  // The run at the start of `left`, which are bytes of a batch from PE `from`.
  arrived_run first_of(std::span<const std::byte> left, pe_id from, const std::byte* batch_begin) const;

  // The PE that a run's tag at `at` names.
  pe_id read_pe(const wire::run& r, const std::byte* at) const {
    const pe_id pe = r.tag.pe_at(at);
    if (!links_.exists(pe)) [[unlikely]]
      bad_pe(r, at, pe);
    return pe;
  }

  // Behind the tag that begins at `at`.
  static const std::byte* after_tag(const wire::run& r, const std::byte* at) {
    if (r.end - at < std::ptrdiff_t{r.tag_bytes}) [[unlikely]]
      bad_run(r, at, "it ends inside the name of a PE");
    return at + r.tag_bytes;
  }

  // The end of the packet whose tag ends at `at`.
  static const std::byte* packet_end(const wire::handler_entry& handler, const wire::run& r, const std::byte* at);

 private:
  // The tag in front of the whole run.
  void read_front(arrived_run& arrived) const;
  [[noreturn, gnu::cold]] void bad_pe(const wire::run& r, const std::byte* at, pe_id pe) const;

  // Constant after construction.
  std::span<wire::handler_entry* const> handlers_;
  link_map links_;
};

}  // namespace tsubu::message
