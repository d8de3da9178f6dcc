// The program whose messages are damaged: it uses most kinds of messages, and its handlers let
// no argument bound memory or time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/object/create.hpp"
#include "tsubu/tsubu.hpp"

namespace tsubu::test {

inline constexpr long most_work = 4;

// What the program trusts nobody with: a value from a message bounds neither memory nor time.
inline pe_id some_pe(std::uint64_t n) { return static_cast<pe_id>(n % static_cast<std::uint64_t>(pe_count())); }

inline pe_local<std::uint64_t> sum;

inline void take(std::uint64_t n, std::uint32_t weight) { *sum += n * weight; }
inline void take_text(std::uint32_t n, const std::string& text) { *sum += n + text.size(); }
inline void pass_on(std::uint32_t n, std::uint32_t hops) {
  *sum += n;
  if (hops > 0) at(some_pe(n)).past<pass_on>(n + 1, std::min<std::uint32_t>(hops, most_work) - 1);
}
inline long add(long a, long b) {
  return static_cast<long>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline task<std::string> twice(std::string text) {
  co_await yield();
  if (text.size() > 5000) text.resize(5000);
  co_return text + text;
}

struct worker : object<worker> {
  worker() = default;
  explicit worker(std::uint32_t from) : n(from) {}
  void work(std::uint32_t k) { n += k; }
  task<std::uint32_t> ask(std::uint32_t k) {
    co_await yield();
    co_return n + k;
  }
  std::uint32_t get() { return n; }
  std::uint32_t n = 0;
};

inline task<void> caused(std::uint32_t strength) {
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(strength, most_work); ++i) {
    at(some_pe(i)).past<caused>(std::min<std::uint32_t>(strength, most_work) - 1);
  }
  co_return;
}

inline task<void> in_an_epoch() {
  auto body = []() -> task<void> {
    at(some_pe(1)).past<caused>(2U);
    co_return;
  };
  co_await epoch(body);
}

inline task<void> program() {
  const auto me = static_cast<std::uint32_t>(this_pe());
  for (std::uint32_t i = 0; i < 6; ++i) at(some_pe(me + i)).past<take>(std::uint64_t{i}, me);
  at(some_pe(me + 1)).past<take_text>(me, std::string(50 + me, 'x'));
  at(some_pe(me + 1)).past<take_text>(me, std::string(3000, 'y'));
  at(some_pe(me + 1)).past<pass_on>(me, 3U);
  *sum += static_cast<std::uint64_t>(co_await at(some_pe(me + 1)).now<add>(long{2}, long{3}));
  const std::string text = co_await at(some_pe(me + 1)).now<twice>(std::string(700, 'z'));
  *sum += text.size();
  co_await barrier();
  *sum += co_await all_reduce(std::uint64_t{me}, reduce::plus);
  ref<worker> w = create<worker>(at(some_pe(me + 1)), me);
  w.past<&worker::work>(5U);
  *sum += co_await w.now<&worker::ask>(7U);
  ref<worker> shown = co_await broadcast(w, some_pe(1));
  shown.past<&worker::work>(1U);
  *sum += co_await shown.now<&worker::get>();
  for (int wait = 0; wait < 3; ++wait) co_await quiescence();  // by waves, then by looks of all
  w.end();
  co_await in_an_epoch();
  const std::vector<std::uint64_t> all = co_await all_gather(*sum);
  for (const std::uint64_t one : all) *sum += one;
}

}  // namespace tsubu::test
