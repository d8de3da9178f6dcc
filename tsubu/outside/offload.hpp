// What would block a PE, done by another thread while the PE goes on:
//
//   const std::string text = co_await outside::offload([name] { return slow_library_call(name); });
//
// f runs on one of two threads that the PE has for this, in the order of the calls, where it is on no PE: it sends
// nothing and touches nothing of the PE's. What it returns or throws is the future's. The job stays until it has.
#pragma once

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "tsubu/task/future.hpp"

namespace tsubu::outside {

namespace detail {

class offloaded {
 public:
  virtual ~offloaded() = default;
  virtual void run() = 0;   // by the other thread
  virtual void give() = 0;  // by the PE, afterwards
};

void offload_one(std::unique_ptr<offloaded> one);

template <class F>
class offloaded_function final : public offloaded {
  using result = std::invoke_result_t<F&>;

 public:
  explicit offloaded_function(F f) : f_(std::move(f)) {}
  future<result> later() const { return to_.get_future(); }

  void run() override {
    try {
      if constexpr (std::is_void_v<result>) {
        f_();
        came_to_.set_value();
      } else {
        came_to_.set_value(f_());
      }
    } catch (...) {
      came_to_.set_exception(std::current_exception());
    }
  }
  void give() override {
    std::exception_ptr thrown;
    try {
      if constexpr (std::is_void_v<result>) {
        came_to_.take();
        to_.set_value();
      } else {
        to_.set_value(came_to_.take());
      }
      return;
    } catch (...) {
      thrown = std::current_exception();
    }
    to_.set_exception(thrown);
  }

 private:
  F f_;
  outcome<result> came_to_;
  promise<result> to_;
};

}  // namespace detail

// What f() gives, run by a thread that may block; what it throws is thrown where the future is awaited.
// Local; does not block, awaiting the future does; outside a job it ends the process.
template <class F>
[[nodiscard]] future<std::invoke_result_t<F&>> offload(F f) {
  auto one = std::make_unique<detail::offloaded_function<F>>(std::move(f));
  auto later = one->later();
  detail::offload_one(std::move(one));
  return later;
}

}  // namespace tsubu::outside
