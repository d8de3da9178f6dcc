// Work that any PE may run, until somebody cancels it: a search that ends with the first that is found.
//
//   cancel_source found;
//   const auto look = [token = found.token()](node n, work_items<node>& more) -> answer {
//     if (is_one(n)) token.cancel();
//     ...
//   };
//   answer best = co_await parallel_items(root, better, until_cancelled(found.token(), look));
//
// What has not begun when a PE learns of it is dropped there, what runs goes on to its end: a long body asks the token
// itself. The call returns as ever, with what came out until then; whether that is all, the token says.
#pragma once

#include <type_traits>
#include <utility>

#include "tsubu/remote/messages/cancel.hpp"

namespace tsubu {

// A body for parallel_for, parallel_reduce or parallel_items that is `body`. Travels if that does.
// Local; blocks as the body does; throws what the body throws.
template <class F>
class until_cancelled {
 public:
  until_cancelled(cancel_token token, F body) : token_(token), body_(std::move(body)) {}

  template <class... A>
    requires std::is_invocable_v<F&, A...>
  std::invoke_result_t<F&, A...> operator()(A&&... arguments) {
    return body_(std::forward<A>(arguments)...);
  }

  // Asked by the runtime, between slices of work.
  bool called_off() const { return token_.cancelled(); }

 private:
  cancel_token token_;
  F body_;
};

}  // namespace tsubu
