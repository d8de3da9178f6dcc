#include "tsubu/message/fetch_ahead.hpp"

#include "tsubu/base/clock.hpp"

namespace tsubu::message {

bool adaptive_switch::begin_run() {
  in_first_ = first();
  began_ = ticks();
  return in_first_;
}

void adaptive_switch::end_run(std::ptrdiff_t packets) { took(in_first_, ticks() - began_, packets); }

}  // namespace tsubu::message
