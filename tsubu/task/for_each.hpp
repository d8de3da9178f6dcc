// A task for each element, with a bounded number of them in flight:
//
//   co_await for_each_in_flight(wanted, 1000, [&](std::size_t i) -> task<void> {
//     values[i] = co_await table[i].read();
//   });
//
// The requests of those in flight share batches, and so do the answers; the bound keeps their frames in the cache and
// their number from growing with the range.
#pragma once

#include <exception>
#include <ranges>
#include <utility>

#include "tsubu/task/task.hpp"

namespace tsubu {

namespace detail {

// Those in flight, and the one task that starts them.
class in_flight : public completion {
 public:
  explicit in_flight(int width) : completion(completion_by<&one_ended, &one_failed>), width_(width) {}
  in_flight(const in_flight&) = delete;
  in_flight& operator=(const in_flight&) = delete;

  void start(task<void> work) {
    ++running_;
    detail::start(std::move(work), *this);
  }
  bool failed() const { return first_error_ != nullptr; }
  void fail(std::exception_ptr error) {
    if (first_error_ == nullptr) first_error_ = std::move(error);
  }
  void rethrow() {
    if (failed()) std::rethrow_exception(std::exchange(first_error_, nullptr));
  }

  // Ready while fewer than `limit` are running; else waits until no more than `low` are.
  class below {
   public:
    below(in_flight& of, int limit, int low) : of_(of), limit_(limit), low_(low) {}
    bool await_ready() const { return of_.running_ < limit_; }
    void await_suspend(std::coroutine_handle<> starter) const {
      of_.low_ = low_;
      of_.starter_ = starter;
    }
    void await_resume() const {}

   private:
    in_flight& of_;
    int limit_;
    int low_;
  };
  // Half of them are started at once: one for each that ends would spread the answers of a batch over as many batches
  // as there are PEs, and after a few rounds each would travel alone.
  below room() { return below(*this, width_, width_ / 2); }
  below all_ended() { return below(*this, 1, 0); }

 private:
  static void one_ended(completion& self) noexcept {
    auto& all = static_cast<in_flight&>(self);
    if (--all.running_ <= all.low_ && all.starter_) {
      this_task_context->ready(std::exchange(all.starter_, ready_item()));
    }
  }
  static void one_failed(completion& self, std::exception_ptr error) noexcept {
    static_cast<in_flight&>(self).fail(std::move(error));
  }

  int width_;
  int running_ = 0;
  int low_ = 0;
  ready_item starter_;
  std::exception_ptr first_error_;
};

template <class View, class Body>
task<void> run_in_flight(View elements, int width, Body body) {
  in_flight all(width);
  try {
    auto end = std::ranges::end(elements);
    for (auto at = std::ranges::begin(elements); at != end && !all.failed(); ++at) {
      all.start(body(*at));
      co_await all.room();
    }
  } catch (...) {
    all.fail(std::current_exception());  // of the range, or of a body that is no coroutine
  }
  co_await all.all_ended();
  all.rethrow();
}

}  // namespace detail

// Starts body(element), a task<void>, for each element in order, each on this stack until it first waits, with at most
// `width` in flight on this PE; the next ones start when half of these have ended. Ends when all have. If one throws,
// no more are started, and the first exception is thrown once those in flight have ended.
//
// A temporary range and the body are kept until then. A named range is not copied: it must stay until the end.
// Local; blocks until all have ended; throws the first exception, and a width that is not positive ends the job.
template <std::ranges::viewable_range Range, class Body>
  requires std::is_same_v<std::invoke_result_t<Body&, std::ranges::range_reference_t<std::views::all_t<Range>>>,
                          task<void>>
task<void> for_each_in_flight(Range&& range, int width, Body body) {
  require(width > 0, "for_each_in_flight with {} in flight would never begin", width);
  return detail::run_in_flight(std::views::all(std::forward<Range>(range)), width, std::move(body));
}

}  // namespace tsubu
