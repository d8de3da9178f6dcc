// The methods of an awaiter, for the source that knows its State. Only sources of this floor include this.
#pragma once

#include "tsubu/outside/awaiter.hpp"

namespace tsubu::outside::detail {

template <class State, class Next>
awaiter<State, Next>::awaiter(std::shared_ptr<State> of) : of_(std::move(of)), record_(State::brings, of_.get()) {}

template <class State, class Next>
awaiter<State, Next>::~awaiter() {
  if (record_.waiting()) of_->give_up();
}

template <class State, class Next>
bool awaiter<State, Next>::await_ready() const {
  return of_->ready();
}

template <class State, class Next>
void awaiter<State, Next>::suspend(ready_item who, std::source_location where) {
  of_->wait(record_);
  record_.suspend(who, where);
}

template <class State, class Next>
Next awaiter<State, Next>::await_resume() {
  return of_->take();
}

}  // namespace tsubu::outside::detail
