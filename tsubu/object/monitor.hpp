// Who is told when an object ends, and why.
//
//   monitor m(worker);                        // from now on
//   const object_end& end = co_await m;       // when it has ended, wherever it has moved
//   if (end.why == end_reason::failed) worker = create<...>(...);
//
// An object that somebody watches ends by what a method of it throws that nobody has asked, as a process of Erlang
// does; then on_past_exception() hears nothing. Not by what is thrown inside another method of it, which waits: what
// that has accepted, and what is reentrant, throw as ever.
#pragma once

#include <cstdint>
#include <exception>
#include <utility>

#include "tsubu/object/packets.hpp"
#include "tsubu/object/ref.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu {

// Why an object is no more.
enum class end_reason : std::uint8_t {
  ended,   // it retired, or was told to end()
  failed,  // by an exception
  gone,    // before it could be watched, or it could not be made
};

// What a monitor tells.
struct object_end {
  end_reason why;
  std::exception_ptr error;  // what it failed by, as who asks gets it; of gone, an object_gone; else null
};

namespace objects {

// A number that no monitor of this PE has had.
std::uint64_t next_monitor();

// Sets the promise when the object tells of its end.
remote::reply_sink& told_of_end(promise<object_end> end);

template <class T>
void watch(const identity& id, std::uint64_t number, promise<object_end> end) {
  send_question<T, &object_base::tsubu_watch>(id, destination(told_of_end(std::move(end))), this_pe(),
                                              std::uint64_t{number});
}
template <class T>
void unwatch(const identity& id, std::uint64_t number) {
  send_past<T, &object_base::tsubu_unwatch, false>(id, this_pe(), std::uint64_t{number});
}

}  // namespace objects

// Watches an object for as long as it lives itself. Move-only. Nothing is told when the job ends before the object.
// Local; awaiting it blocks until the object has ended; a ref that names nobody ends the job.
class [[nodiscard]] monitor {
 public:
  // A message, in order with the others of this PE to the object; but the object takes it also while a method waits.
  template <class T>
  explicit monitor(ref<T> of) : of_(of.id()), unwatch_(&objects::unwatch<T>) {
    if (!of) objects::no_object_named();
    promise<object_end> end;
    end_ = end.get_future();
    number_ = objects::next_monitor();
    objects::watch<T>(of_, number_, std::move(end));
  }
  monitor(monitor&& other) noexcept = default;
  monitor& operator=(monitor&& other) noexcept {
    if (this != &other) {
      forget();
      of_ = other.of_;
      unwatch_ = other.unwatch_;
      number_ = other.number_;
      end_ = std::move(other.end_);
    }
    return *this;
  }
  ~monitor() { forget(); }

  // Has the object ended, as far as this PE has been told?
  bool told() const { return end_.ready(); }

  // `co_await m` gives a const object_end&; it may be repeated.
  auto operator co_await() & { return end_.operator co_await(); }
  auto operator co_await() && { return std::move(end_).operator co_await(); }

 private:
  void forget() noexcept {
    if (end_.valid() && !end_.ready() && remote::job_goes_on()) unwatch_(of_, number_);
  }

  objects::identity of_;
  void (*unwatch_)(const objects::identity&, std::uint64_t number);
  std::uint64_t number_ = 0;
  future<object_end> end_;
};

}  // namespace tsubu
