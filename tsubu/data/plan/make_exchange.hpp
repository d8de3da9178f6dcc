// An exchange by the method that is named.
#pragma once

#include <memory>
#include <utility>

#include "tsubu/data/plan/block_exchange.hpp"
#include "tsubu/data/plan/method.hpp"
#include "tsubu/data/plan/needed_exchange.hpp"
#include "tsubu/data/plan/read_exchange.hpp"

namespace tsubu::data {

// The method is not `automatic`. Collective.
template <class T>
task<std::unique_ptr<exchange<T>>> make_exchange(std::shared_ptr<const exchange_pattern> pattern, plan_method method,
                                                 int tasks) {
  switch (method) {
    case plan_method::block:
      return block_exchange<T>::make(std::move(pattern));
    case plan_method::update:
      return needed_exchange<T>::make(std::move(pattern), false);
    case plan_method::packed:
      return needed_exchange<T>::make(std::move(pattern), true);
    case plan_method::read:
      return read_exchange<T>::make(std::move(pattern), tasks, false);
    case plan_method::cached:
      return read_exchange<T>::make(std::move(pattern), tasks, true);
    case plan_method::automatic:
      break;
  }
  fail("an exchange is made by no method");
}

}  // namespace tsubu::data
