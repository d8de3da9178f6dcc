// Tasks that end after some turns of the ready queue, with a value or an exception.
#pragma once

#include "tsubu/task/task.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {

inline task<int> after(int yields, int value) {
  for (int i = 0; i < yields; ++i) co_await yield();
  co_return value;
}

inline task<int> fail_after(int yields, int what) {
  for (int i = 0; i < yields; ++i) co_await yield();
  throw what;
}

}  // namespace tsubu
