// A task that nobody awaits, and whose errors are taken all the same:
//
//   spawn(serve(std::move(client)), [](const outside::error& e) { say("{}", e.what()); });
//
// For tasks of which one may fail without the others, as a server's are: one for each client. What the function takes
// is what is expected to go wrong; anything else is an error of the program, and ends the job as ever.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tsubu/task/task.hpp"

namespace tsubu {

namespace detail {

// The error that a function takes, by its one parameter.
template <class F>
struct taken_error : taken_error<decltype(&F::operator())> {};
template <class E>
struct taken_error<void (*)(const E&)> {
  using type = E;
};
template <class E>
struct taken_error<void (*)(const E&) noexcept> : taken_error<void (*)(const E&)> {};
template <class C, class E>
struct taken_error<void (C::*)(const E&)> : taken_error<void (*)(const E&)> {};
template <class C, class E>
struct taken_error<void (C::*)(const E&) const> : taken_error<void (*)(const E&)> {};
template <class C, class E>
struct taken_error<void (C::*)(const E&) noexcept> : taken_error<void (*)(const E&)> {};
template <class C, class E>
struct taken_error<void (C::*)(const E&) const noexcept> : taken_error<void (*)(const E&)> {};

template <class E, class F>
task<void> with_errors_taken(task<void> work, F take) {
  try {
    co_await std::move(work);
  } catch (const E& error) {
    take(error);
  }
}

}  // namespace detail

// Starts a task that nobody awaits. An exception of the type that `take` has as its parameter, `const E&`, ends that
// task and is given to `take`.
// Local; does not block; another exception, and what `take` throws, goes to on_past_exception(), which by default ends
// the job.
template <class F>
void spawn(task<void> work, F take) {
  spawn(detail::with_errors_taken<typename detail::taken_error<F>::type>(std::move(work), std::move(take)));
}

}  // namespace tsubu
