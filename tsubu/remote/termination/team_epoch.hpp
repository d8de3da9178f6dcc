// Waiting, as a team, for all that the team does:
//
//   co_await epoch(row, [&]() -> task<void> {
//     for (edge e : mine) co_await at(owner(e)).past<relax>(e);
//   });                                        // on every member: all that all members' bodies caused has run
//
// One epoch, of which rank 0 is the root, takes in the bodies of all members. Its name goes down the tree of the ranks,
// and each way down counts as a message of the epoch; so the root waits for every body, and for what they cause. That
// it has ended goes down the same tree. Packets beside those of the epoch itself: 2 (P - 1), and up to P - 1
// acknowledgements.
#pragma once

#include <source_location>
#include <utility>

#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu {

namespace remote {

// Tells the members below which epoch it is. `part` answers for them until they have joined it.
void invite_children(const collective_call& call, epoch_part& part);

void tell_children_the_end(const collective_call& call);

}  // namespace remote

// Collective over `members`. Runs body(), a task<void> or a plain function, on each of them, and returns when all that
// all bodies have caused has run, everywhere. Then throws what this PE's body has thrown. A body may begin before other
// members have called it, and after those above in the tree have.
// Collective; blocks until all that the bodies caused has run; throws what this PE's body has thrown.
template <remote::epoch_body Body>
task<void> epoch(team members, Body body, std::source_location where = std::source_location::current()) {
  const remote::collective_call call(remote::collective_kind::epoch, members, where);
  remote::body_in_epoch work;
  if (call.rank() == 0) {
    remote::open_epoch here(where);
    remote::invite_children(call, here.root());
    work.start(here.root(), body);
    co_await here;
    remote::tell_children_the_end(call);
  } else {
    const pe_id parent = tree_parent(call.rank());
    remote::collective_receive<remote::epoch_id> invited(call, 0, parent);
    const remote::epoch_id id = co_await invited;
    remote::epoch_part& part = remote::current_pe->epochs.enter(id, call.pe(parent));
    remote::invite_children(call, part);
    work.start(part, body);
    remote::collective_receive<remote::nothing> ended(call, remote::fold_out, parent);
    co_await ended;
    remote::tell_children_the_end(call);
  }
  work.take();
}

}  // namespace tsubu
