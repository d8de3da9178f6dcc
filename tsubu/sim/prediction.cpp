#include "tsubu/sim/prediction.hpp"

namespace tsubu::sim {

bool predictor::predict() {
  if (what_ == predicted::nothing || counted_ < only_counted_ || predicts_) return false;
  return predicts_ = true;
}

predictor::taken predictor::take(const message_form& m) {
  taken result{outcome::none, false};
  if (predicts_) {
    const bool as_last =
        log_.has_value() && log_->words == m.words && (what_ == predicted::size || log_->number == m.number);
    result.of_prediction = as_last ? outcome::hit : outcome::miss;
    ++(as_last ? hits_ : misses_);
    predicts_ = false;
  }
  if (counted_ < only_counted_) {
    ++counted_;
  } else if (what_ != predicted::nothing) {
    log_ = m;
    result.logged = true;
  }
  return result;
}

}  // namespace tsubu::sim
