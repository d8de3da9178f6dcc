// Takes arrived batches apart and executes what is in them.
//
// A batch is executed run by run: a handler is compiled for a whole run, with its body inlined into the loop over the
// packets (after A-NET, which put the receive path into firmware). So a batch costs one indirect call a run, not a
// message. execute() looks at a header only as far as it takes to find out that a run is an ordinary one and correct;
// all others go to run_reader, which finds out what they are or what is wrong with them.
#pragma once

#include <cstddef>
#include <span>

#include "tsubu/message/ledger.hpp"
#include "tsubu/message/run_reader.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class forwarder;

class dispatcher final : public transport::receiver {
 public:
  // `count` outlives it, and so does `onward`, which passes on what is for other PEs; null where nothing is.
  dispatcher(const run_reader& reader, ledger& count, forwarder* onward)
      : reader_(reader), count_(count), onward_(onward) {}

  // Executes the packets of a batch from PE `from`, or passes them on. The batch stays the caller's.
  void execute(transport::batch* b, pe_id from);

  // Where a bulk lands, as its head says.
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override;

  // What the first packet of a batch means that this PE has just posted.
  message_facts facts_of(transport::batch& posted, std::size_t bulk_bytes) const override;

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_run(pe_id from, std::span<const std::byte> left,
                                                         const std::byte* batch_begin);
  // The run at the start of `left`; returns its end.
  [[gnu::noinline]] const std::byte* execute_tagged(pe_id from, std::span<const std::byte> left,
                                                    const std::byte* batch_begin);
  void execute_with_bulk(transport::batch* b, pe_id from);

  // Constant after construction.
  run_reader reader_;
  ledger& count_;
  forwarder* onward_;
};

}  // namespace tsubu::message
