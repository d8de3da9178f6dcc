// Passes on packets that are on their way between two other PEs of a grid.
//
// A packet that does not reach its PE over one link has a tag in front: the PE it is for, the PE it is from, or both,
// whichever the next PE cannot see from the batch. Whole packets are copied from the arrived batch into those being
// filled; their handlers see nothing of it. What is passed on is neither sent nor executed here. The arrived batch is
// held as long as what was copied from it waits for credit, see held_arrivals.hpp.
#pragma once

#include <cstddef>

#include "tsubu/message/held_arrivals.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/message/outbox.hpp"
#include "tsubu/message/run_reader.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class forwarder {
 public:
  // Both outlive it.
  forwarder(const run_reader& reader, outbox& out, ledger& count)
      : reader_(reader), out_(out), held_(*out.window().held()), count_(count) {}

  // The packets of a run that are for other PEs.
  void pass_on(const arrived_run& run);

  // A bulk goes on as a whole, from PE to PE: that keeps its place among the packets of its pair.
  void pass_on_bulk(transport::batch* arrived, const arrived_run& run);

 private:
  void pass_on_together(const arrived_run& run);
  // A packet for this PE that came with those for others.
  void execute_here(const wire::handler_entry& handler, const wire::run& r);
  template <std::size_t packet_bytes>
  void pass_on_each(const wire::handler_entry& handler, const wire::run& r);
  // In front of what goes on.
  void write_names(std::byte* tag, format::tag_kind kind, pe_id origin, pe_id to) const;
  // The neighbour to which what stands at `at` goes next; `what` it is, for the error.
  pe_id next_hop(pe_id to, const wire::run& r, const std::byte* at, const char* what) const;
  [[noreturn, gnu::cold]] void too_long(const wire::handler_entry& handler, const wire::run& r, const std::byte* at,
                                        std::size_t bytes) const;

  // Constant after construction.
  run_reader reader_;
  outbox& out_;
  held_arrivals& held_;
  ledger& count_;
};

}  // namespace tsubu::message
