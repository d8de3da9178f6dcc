#include "tsubu/remote/backlog.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/message/endpoint.hpp"

namespace tsubu::remote {

void backlog::hold() {
  holds_ = true;
  messages_.hold_own_senders(true);
  if (std::exchange(behind_, true)) return;
  patience_ = least_patience;
  turns_in_vain_ = 0;
  ++times_behind_;
}

void backlog::let_on(std::size_t until_bytes) {
  holds_ = false;
  hold_above_ = until_bytes;
  messages_.hold_own_senders(false);
}

void backlog::catch_up() {
  executed_any_ = true;
  hold_above_ = std::min(hold_above_, bytes_ + most_bytes);
  if (bytes_ > most_bytes / 2) return;
  behind_ = false;
  let_on(most_bytes);
}

bool backlog::gives_way(bool has_run) {
  if (has_run) {
    if (std::exchange(executed_any_, false)) {
      turns_in_vain_ = 0;
      patience_ = least_patience;
    }
    if (++turns_in_vain_ < patience_) return false;
    patience_ = std::min(2 * patience_, most_patience);
  }
  turns_in_vain_ = 0;
  ++times_given_way_;
  let_on(bytes_ + most_bytes);
  return true;
}

}  // namespace tsubu::remote
