#include "tsubu/data/sync/counter_record.hpp"

#include <fmt/format.h>

#include <utility>

#include "tsubu/data/sync/counter_home.hpp"

namespace tsubu::data {

std::optional<long> counter_record::operate(counter_operation what, long argument) {
  switch (what) {
    case counter_operation::read:
      return value_;
    case counter_operation::fetch_decrement: {
      const long before = value_;
      if (before != 0) set(before - 1);
      return before;
    }
    case counter_operation::write:
      if (!writers_.empty() || !begin_write(argument)) return {};
      return argument;
    case counter_operation::until_zero:
      if (value_ == 0) return 0;
      return {};
  }
  return {};
}

void counter_record::wait(counter_operation what, long argument, remote::reply_address to) {
  if (what == counter_operation::write) {
    writers_.push_back({argument, to});
  } else {
    until_zero_.push_back(to);
  }
}

bool counter_record::may_keep_zero(pe_id by) {
  if (value_ != 0 || !writers_.empty() || by == name_.home()) return false;
  keep_zero_.insert(by);
  return true;
}

void counter_record::set(long value) {
  value_ = value;
  if (value != 0) return;
  for (const remote::reply_address to : std::exchange(until_zero_, {}))
    answer_counter(name_, to, 0, may_keep_zero(to.pe));
}

// A zero that is kept somewhere is forgotten before there is another value. False if that is to be waited for.
bool counter_record::begin_write(long value) {
  if (value != 0 && !keep_zero_.empty()) {
    ask_to_forget();
    return false;
  }
  set(value);
  return true;
}

void counter_record::ask_to_forget() {
  not_forgotten_ = static_cast<int>(keep_zero_.size());
  keep_zero_.for_each([this](pe_id pe) { send_forget(pe, name_, true); });
  keep_zero_.clear();
}

void counter_record::forgotten(pe_id by) {
  require(not_forgotten_ > 0, "PE {} has forgotten a zero of {}, and was not asked to", by,
          [this] { return describe(sync_kind::counter, name_); });
  if (--not_forgotten_ != 0) return;
  for (const writer& w : writers_) {
    set(w.value);
    answer_counter(name_, w.to, w.value, false);
  }
  writers_.clear();
}

void counter_record::end() {
  keep_zero_.for_each([this](pe_id pe) { send_forget(pe, name_, false); });
  keep_zero_.clear();
}

std::string counter_record::report() const {
  constexpr std::size_t most_shown = 8;
  std::string text = fmt::format("{} is {}, and who waits for zero: ", describe(sync_kind::counter, name_), value_);
  for (std::size_t i = 0; i < until_zero_.size() && i < most_shown; ++i) {
    text += fmt::format("{}PE {}", i == 0 ? "" : ", ", until_zero_[i].pe);
  }
  if (until_zero_.size() > most_shown) text += fmt::format(" and {} more", until_zero_.size() - most_shown);
  return text;
}

}  // namespace tsubu::data
