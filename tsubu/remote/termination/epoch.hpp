// Waiting for a part of the program, with all that it causes anywhere:
//
//   co_await epoch([&]() -> task<void> {
//     for (edge e : mine) co_await at(owner(e)).past<relax>(e);
//   });                                        // here every relax has run, and every one that it has sent
//
// To an epoch belong the messages that its body sends, the handlers that run for them, the tasks and fibers that either
// starts, until they end, the answers to their calls; and what these send. So it follows the causes, not the clock:
// what others do meanwhile does not hold it up. What is handed to a task outside, by a future or a sync, leaves the
// epoch there.
//
// Epochs nest, and any number may be open, on the same PE or on several: see docs/epochs.md. team_epoch.hpp has those
// of a team.
#pragma once

#include <exception>
#include <source_location>
#include <type_traits>

#include "tsubu/remote/messages/send.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace remote {

// What an epoch runs: a task<void>, or a plain function.
template <class Body>
concept epoch_body =
    std::is_same_v<std::invoke_result_t<Body&>, task<void>> || std::is_void_v<std::invoke_result_t<Body&>>;

// A body that runs in an epoch, in the frame of the task that waits for the epoch's end.
class body_in_epoch : private detail::completion {
 public:
  body_in_epoch() : completion(detail::completion_by<&body_ended>) {}
  body_in_epoch(const body_in_epoch&) = delete;
  body_in_epoch& operator=(const body_in_epoch&) = delete;

  // Runs it until it first waits; it belongs to the epoch of which `part` is this PE's.
  template <class Body>
  void start(epoch_part& part, Body& body) {
    part_ = &part;
    const task_group_scope inside(&part);
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<Body&>>) {
        body();
      } else {
        task<void> work = body();
        ++part.waiting;  // until it ends, in whatever way it waits
        detail::start(std::move(work), result_, *this);
      }
    } catch (...) {
      result_.set_exception(std::current_exception());
    }
    part.touch();
  }

  // Once the epoch has ended: throws what the body has thrown.
  void take() { result_.take(); }

 private:
  static void body_ended(completion& self) noexcept { --static_cast<body_in_epoch&>(self).part_->waiting; }

  epoch_part* part_ = nullptr;
  outcome<void> result_;
};

// The root of an epoch, in the frame of the task that waits for it: `co_await` it for the epoch's end.
class open_epoch {
 public:
  explicit open_epoch(std::source_location where, epoch_kind kind = epoch_kind::plain)
      : root_(check_pe().epochs.open(kind)), where_(where) {}
  open_epoch(const open_epoch&) = delete;
  open_epoch& operator=(const open_epoch&) = delete;
  ~open_epoch() { current_pe->epochs.close(root_); }

  epoch_part& root() { return root_; }

  bool await_ready() const { return root_.could_leave(); }
  void await_suspend(std::coroutine_handle<> opener) { root_.end().suspend(opener, where_); }
  void await_resume() const noexcept {}

 private:
  static pe& check_pe() {
    require(current_pe != nullptr, "epoch() was called outside a job: call it in the program given to run()");
    return *current_pe;
  }

  epoch_part& root_;
  std::source_location where_;
};

}  // namespace remote

// Runs body(), a task<void> or a plain function, on this PE as an epoch, and returns when everything that it caused has
// run, everywhere. Then throws what the body has thrown. The body is kept until then. Any PE may call it, alone.
// Local; blocks until all that the body caused has run; throws what the body has thrown.
template <remote::epoch_body Body>
task<void> epoch(Body body, std::source_location where = std::source_location::current()) {
  remote::open_epoch here(where);
  remote::body_in_epoch work;
  work.start(here.root(), body);
  co_await here;
  work.take();
}

}  // namespace tsubu
