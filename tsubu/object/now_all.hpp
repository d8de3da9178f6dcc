// One question to each of many objects, and the answers in their order.
#pragma once

#include <vector>

#include "tsubu/object/ref.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// `auto v = co_await now_all<&cell::temperature>(refs);`: asks each of them; one reply each, in order. If
// the method has no result, it returns when all have ended.
// Local; blocks until all have answered; throws the first of what they threw, by index, as remote_error, or
// object_gone.
template <auto M, class T, class... A>
  requires(!std::is_void_v<objects::result_of<M>>)
task<std::vector<objects::result_of<M>>> now_all(std::vector<ref<T>> of, A... a) {
  std::vector<future<objects::result_of<M>>> replies;
  replies.reserve(of.size());
  for (const ref<T>& r : of) replies.push_back(r.template future<M>(a...));
  std::vector<objects::result_of<M>> values;
  values.reserve(of.size());
  for (auto& reply : replies) values.push_back(co_await std::move(reply));
  co_return values;
}
// For a method that returns nothing.
template <auto M, class T, class... A>
  requires std::is_void_v<objects::result_of<M>>
task<void> now_all(std::vector<ref<T>> of, A... a) {
  std::vector<future<void>> replies;
  replies.reserve(of.size());
  for (const ref<T>& r : of) replies.push_back(r.template future<M>(a...));
  for (auto& reply : replies) co_await std::move(reply);
}

}  // namespace tsubu
