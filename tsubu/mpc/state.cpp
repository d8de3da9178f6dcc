#include "tsubu/mpc/state.hpp"

#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::mpc {
namespace {
pe_local<state> states;
}

state& my_state() { return *states; }

state::state() : parts(std::make_unique<sync<collective_part>[]>(static_cast<std::size_t>(pe_count()))) {
  writes.sent.resize(static_cast<std::size_t>(pe_count()));
}

state::~state() {
  // mpc_exit() abandons threads; one that waits in a collective still refers to these.
  if (in_collective) static_cast<void>(parts.release());
}

void write_epochs::count_executed(pe_id from, std::uint32_t epoch) {
  require(epoch - left < kept - 1, "PE {} writes in epoch {}, when this one is in epoch {}", from, epoch, left);
  const std::uint32_t now = ++executed[epoch % kept];
  if (waiting == nullptr || epoch != left) return;
  require(now <= waiting->expected, "more writes arrived before a barrier than were sent");
  if (now == waiting->expected) waiting->all_executed.set_value();
}

counters counted() {
  counters now = my_state().counted;
  const transport::library_calls calls = remote::current_pe->accounts.calls();
  now.probe = calls.probes;
  now.test = calls.tests;
  return now;
}

}  // namespace tsubu::mpc
