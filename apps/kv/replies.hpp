// The replies to one connection, in the order of its requests, although some come from other PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/outside/connection.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

class replies {
 public:
  // Where a reply that is known now is added.
  std::string& known() { return parts_.empty() ? text_ : parts_.back().behind; }

  // A reply that another PE sends.
  void later(tsubu::future<std::string> reply) {
    begin_part();
    parts_.back().reply = std::move(reply);
    ++expected_;
  }

  // The sum of `known_here` and what other PEs send; or, where `say` is not empty, that text when all have come.
  void sum(std::vector<tsubu::future<std::int64_t>> others, std::int64_t known_here, std::string say = "") {
    expected_ += others.size();
    begin_part();
    parts_.back().sum = known_here;
    parts_.back().others = std::move(others);
    parts_.back().say = std::move(say);
  }

  // There is as much as shall be kept: time to write().
  bool is_much() const {
    return text_.size() + earlier_bytes_ + behind_bytes() > most_bytes || expected_ >= most_expected;
  }

  // Writes all of them, when they are there. Throws outside::error.
  tsubu::task<void> write(const tsubu::outside::connection& to);

 private:
  // A value of another PE may be as long as a request allows.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;
  static constexpr std::size_t most_expected = 256;

  struct part {
    tsubu::future<std::string> reply;  // not valid: it is a sum
    std::vector<tsubu::future<std::int64_t>> others;
    std::int64_t sum = 0;
    std::string say;
    std::string behind;  // known replies to the requests behind it
  };
  void begin_part() {
    earlier_bytes_ += behind_bytes();
    parts_.emplace_back();
  }
  std::size_t behind_bytes() const { return parts_.empty() ? 0 : parts_.back().behind.size(); }

  std::string text_;
  std::deque<part> parts_;
  std::size_t earlier_bytes_ = 0;  // known replies behind all parts but the last
  std::size_t expected_ = 0;
};

}  // namespace kv
