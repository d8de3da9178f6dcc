// Two endpoints in one thread, over a transport that the test holds in its hands; and handlers that write down what
// they were called with.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/loopback.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/handler.hpp"

namespace tsubu::test {

using message::delivery;
using message::endpoint;
using message::this_endpoint;
using strings = std::vector<std::string>;

inline strings log_of_calls;

inline void note(const delivery& d, const std::string& what) {
  log_of_calls.push_back(std::to_string(d.from) + " " + what);
}

struct number_handler {
  using layout = wire::layout<std::uint32_t, long>;
  static void call(const delivery& d, std::uint32_t a, long b) { note(d, std::to_string(a) + "," + std::to_string(b)); }
};
struct text_handler {
  using layout = wire::layout<std::string>;
  static void call(const delivery& d, std::string s) { note(d, s.size() > 40 ? std::to_string(s.size()) : s); }
};
struct list_handler {
  using layout = wire::layout<std::vector<std::vector<std::uint16_t>>, char>;
  static void call(const delivery& d, std::vector<std::vector<std::uint16_t>> v, char) {
    note(d, std::to_string(v.size()));
  }
};
struct empty_handler {
  using layout = wire::layout<>;
  static void call(const delivery& d) { note(d, "empty"); }
};
struct uncounted_handler {
  static constexpr bool counted = false;
  using layout = wire::layout<char>;
  static void call(const delivery& d, char c) { note(d, std::string(1, c)); }
};
struct large_handler {
  using layout = wire::layout<std::array<char, 3000>>;
  static void call(const delivery& d, std::array<char, 3000> a) { note(d, std::string("large ") + a[2999]); }
};
struct throwing_handler {
  using layout = wire::layout<int>;
  static void call(const delivery& d, int n) {
    if (n % 2 == 1) throw std::runtime_error("odd " + std::to_string(n));
    note(d, std::to_string(n));
  }
};
inline std::byte memory[100'000];
struct bulk_handler {
  using layout = wire::layout<std::uint32_t>;
  static std::byte* place(const delivery& d, std::uint32_t offset) {
    if (offset > sizeof memory || d.bulk_bytes > sizeof memory - offset) fail("a bulk beyond its memory");
    return memory + offset;
  }
  static void call(const delivery& d, std::uint32_t offset) {
    note(d, "bulk " + std::to_string(d.bulk_bytes) + " at " + std::to_string(offset));
  }
};

class two_endpoints : public ::testing::Test {
 protected:
  explicit two_endpoints(int hops = 1) : wires(2, 1024, {hops}), a(wires[0]), b(wires[1]) { log_of_calls.clear(); }
  ~two_endpoints() override { this_endpoint = nullptr; }

  static bool run(endpoint& e) {
    this_endpoint = &e;
    return e.run_arrived();
  }
  static void run_all(endpoint& e) {
    while (run(e)) continue;
  }

  loopback wires;
  endpoint a;
  endpoint b;
};

}  // namespace tsubu::test
