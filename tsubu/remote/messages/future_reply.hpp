// A promise that takes the answer of a call, whether or not its future is still wanted.
#pragma once

#include <exception>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::remote {

// Sets a promise; lives until the answer comes, whether or not the future is still wanted.
template <class R>
class future_reply final : value_sink<R> {
 public:
  static reply_sink& make(promise<R> result) { return *new_pooled<future_reply>(std::move(result)); }
  explicit future_reply(promise<R> result) : result_(std::move(result)) {}

 private:
  void value(carried<R> v) override {
    set(result_, std::move(v));
    delete_pooled(this);
  }
  void error(std::exception_ptr e) override {
    result_.set_exception(std::move(e));
    delete_pooled(this);
  }
  promise<R> result_;
};

}  // namespace tsubu::remote
