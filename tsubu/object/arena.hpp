// Objects that end together, when the part of the program that made them has ended:
//
//   const auto body = [&]() -> task<void> {
//     ref<node> root = create<node>(at(0), bodies);     // and whatever objects that makes, on any PE
//     forces = co_await root.now<&node::forces>();
//   };
//   co_await arena(body);                               // here none of them is left
//
// An arena is an epoch (remote/termination/epoch.hpp) that also keeps note of the objects made in it: by its body, and
// by everything that its body causes anywhere. They end when the epoch has ended, with one message to each PE that has
// made some, however many there are.
#pragma once

#include <source_location>

#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu {

namespace objects {

// The objects of that arena end, wherever they are. It was opened here, and its epoch has ended.
void end_objects_of(remote::epoch_id arena);

}  // namespace objects

// Runs body(), a task<void> or a plain function, on this PE as an epoch; then ends all objects that were made in it,
// in epochs within it too, wherever they are, and returns when they have ended. Then throws what the body has thrown.
// An object of which a method has begun, asked by somebody outside, ends behind that method; what is sent to an object
// of an arena later finds nobody, as after ref::end(). An arena within an arena ends its own.
// Local; blocks until all that the body caused has run, and its objects have ended; throws what the body has thrown.
template <remote::epoch_body Body>
task<void> arena(Body body, std::source_location where = std::source_location::current()) {
  remote::open_epoch here(where, remote::epoch_kind::arena);
  remote::body_in_epoch work;
  work.start(here.root(), body);
  co_await here;
  const remote::epoch_id of = here.root().id();
  const auto end_objects = [of] { objects::end_objects_of(of); };
  co_await epoch(end_objects, where);
  work.take();
}

}  // namespace tsubu
