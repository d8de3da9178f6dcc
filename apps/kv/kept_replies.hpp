// Long replies to requests of other PEs. A PE answers at once, in the order of what it is asked, but what is long stays
// with it, under a number, until the PE that has asked can take it: when its client has read all that comes before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "apps/kv/store.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

// What a PE answers another one. The reply is `text`, and behind it, where there is a number, what the PE keeps.
struct pe_reply {
  std::string text;
  std::uint64_t number = 0;  // 0: that was all
  std::uint64_t bytes = 0;   // that it keeps
  bool is_bulk = false;      // the end of a line comes behind them

  template <class Archive>
  void serialize(Archive& archive) {
    archive(text, number, bytes, is_bulk);
  }
};

std::string bulk_header(std::size_t bytes);

// On the PE that is asked. A value is sent as a bulk; `reply` is kept only if it is long.
pe_reply keep_value(std::shared_ptr<const std::string> value);
pe_reply keep_if_long(std::string reply, const store& of);

// On the PE that has asked: the right to take what another one keeps. Destroyed, it tells that one to forget it.
class kept_reply {
 public:
  kept_reply() = default;
  kept_reply(tsubu::pe_id pe, const pe_reply& of) : pe_(pe), number_(of.number), bytes_(of.bytes) {}
  kept_reply(kept_reply&& other) noexcept
      : pe_(other.pe_), number_(std::exchange(other.number_, 0)), bytes_(other.bytes_) {}
  kept_reply& operator=(kept_reply&& other) noexcept;
  ~kept_reply() { forget(); }

  explicit operator bool() const { return number_ != 0; }
  std::size_t bytes() const { return bytes_; }
  tsubu::future<std::string> take();

 private:
  void forget();

  tsubu::pe_id pe_ = 0;
  std::uint64_t number_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace kv
