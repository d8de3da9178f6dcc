// Reads runs that came over the wire, and trusts nothing in them.
//
// A batch may be damaged, or come from another program. Every number in it is checked before it is used, and what no
// correct PE sends ends the job with a line that says where it stands and what is wrong with it.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "tsubu/message/batch_format.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

// A run whose header has been read and checked. With tags, `from` and `to` are those of the first packet.
struct arrived_run {
  wire::run packets;  // with their tags
  const wire::handler_entry* handler = nullptr;
  bool in_bulk = false;
  pe_id to = no_pe;  // no_pe: for this PE
};

class run_reader {
 public:
  // Handlers have their numbers. `tagged`: packets may have tags.
  run_reader(pe_id pe_count, bool tagged) : handlers_(wire::handlers()), pe_count_(pe_count), tagged_(tagged) {}

  std::span<wire::handler_entry* const> handlers() const { return handlers_; }
  bool tagged() const { return tagged_; }

  // The run at the start of `left`, which are bytes of a batch from PE `from`.
  arrived_run first_of(std::span<const std::byte> left, pe_id from, const std::byte* batch_begin) const;

  // The PE whose number stands at `at`.
  pe_id read_pe(const wire::run& r, const std::byte* at) const {
    pe_id pe = no_pe;
    std::memcpy(&pe, at, sizeof pe);
    if (static_cast<std::uint32_t>(pe) >= static_cast<std::uint32_t>(pe_count_)) [[unlikely]]
      bad_pe(r, at, pe);
    return pe;
  }

  // Behind the tag that begins at `at`.
  static const std::byte* after_tag(const wire::run& r, const std::byte* at) {
    if (r.end - at < std::ptrdiff_t{r.tag_bytes}) [[unlikely]]
      bad_run(r, at, "it ends inside the number of a PE");
    return at + r.tag_bytes;
  }

  // The end of the packet whose tag ends at `at`.
  static const std::byte* packet_end(const wire::handler_entry& handler, const wire::run& r, const std::byte* at);

 private:
  [[noreturn, gnu::cold]] void bad_pe(const wire::run& r, const std::byte* at, pe_id pe) const;

  // Constant after construction.
  std::span<wire::handler_entry* const> handlers_;
  pe_id pe_count_;
  bool tagged_;
};

}  // namespace tsubu::message
