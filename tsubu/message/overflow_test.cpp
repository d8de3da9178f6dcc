#include "tsubu/message/overflow.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "tests/loopback.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/handler.hpp"

namespace tsubu::message {
namespace {

using test::loopback;

std::vector<std::byte> pattern(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

TEST(spill_file, gives_back_what_it_took_in_any_order) {
  const std::uint64_t seed = fresh_seed();
  std::printf("seed %lu\n", seed);
  std::mt19937_64 random(seed);
  spill_file file(1000);
  std::vector<std::pair<spill_file::place, std::vector<std::byte>>> held;
  std::uint64_t slots = 0;
  for (int i = 0; i < 2000; ++i) {
    if (held.empty() || random() % 2 == 0) {
      const std::vector<std::byte> bytes = pattern(1 + random() % 5000, random());
      held.emplace_back(file.write(bytes), bytes);
      slots += (bytes.size() + 999) / 1000;
    } else {
      const std::size_t k = random() % held.size();
      std::vector<std::byte> found(held[k].second.size());
      file.take(held[k].first, found);
      ASSERT_EQ(found, held[k].second);
      slots -= (found.size() + 999) / 1000;
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(k));
    }
    ASSERT_EQ(file.bytes(), slots * 1000);
  }
}

std::vector<std::uint64_t> executed;

struct numbered {
  using layout = wire::layout<std::uint64_t, std::array<char, 100>>;
  static void call(const delivery&, std::uint64_t n, std::array<char, 100>) { executed.push_back(n); }
};
struct numbered_text {
  using layout = wire::layout<std::uint64_t, std::string>;
  static void call(const delivery&, std::uint64_t n, const std::string& text) {
    executed.push_back(text == std::string(text.size(), 'x') ? n : ~n);
  }
};

// To another PE, and to the own one, which goes another way.
class overflow_order : public ::testing::TestWithParam<pe_id> {};

TEST_P(overflow_order, is_kept_through_memory_and_file) {
  const pe_id to = GetParam();
  loopback wires(2);
  endpoint a(wires[0], {.memory_bytes = 50'000, .spill_bytes = std::size_t{1} << 30});
  endpoint b(wires[1]);
  executed.clear();
  const std::uint64_t seed = fresh_seed();
  std::printf("seed %lu\n", seed);
  std::mt19937_64 random(seed);
  constexpr std::uint64_t count = 5000;
  std::uint64_t sent = 0;
  std::size_t most_in_use = 0;
  endpoint& there = to == 0 ? a : b;
  while (sent < count || executed.size() < count) {
    for (std::uint64_t burst = random() % 200; burst > 0 && sent < count; --burst, ++sent) {
      this_endpoint = &a;
      if (random() % 10 == 0) {
        a.send<numbered_text>(to, sent, std::string(random() % 4000, 'x'));  // some outgrow a batch
      } else {
        a.send<numbered>(to, sent, std::array<char, 100>{});
      }
      most_in_use = std::max(most_in_use, wires[0].bytes_in_use());
    }
    for (std::uint64_t steps = random() % 20; steps > 0; --steps) {
      this_endpoint = &there;
      there.run_arrived();
    }
    this_endpoint = &a;
    a.run_arrived();
    a.flush(flush_reason::idle);
  }
  this_endpoint = nullptr;
  for (std::uint64_t n = 0; n < count; ++n) ASSERT_EQ(executed[n], n);
  EXPECT_FALSE(a.has_waiting());
  EXPECT_LE(most_in_use, 52'200) << "the limit, and a batch or two that are being filled";
  EXPECT_EQ(a.sent(), count);
}

INSTANTIATE_TEST_SUITE_P(to, overflow_order, ::testing::Values(0, 1));

TEST(overflow_death, beyond_the_spill_limit) {
  loopback wires(2);
  endpoint a(wires[0], {.memory_bytes = 20'000, .spill_bytes = 40'000});
  this_endpoint = &a;
  EXPECT_EXIT(for (std::uint64_t n = 0; n < 5000; ++n) a.send<numbered>(1, n, std::array<char, 100>{}),
              ::testing::ExitedWithCode(1),
              "more than 40000 bytes of messages wait in a file.* bytes for PE 1, most of them for .*numbered");
  this_endpoint = nullptr;
}

TEST(overflow_death, a_limit_below_the_least) {
  loopback wires(1);
  EXPECT_EXIT(
      endpoint(wires[0], {.memory_bytes = 1000, .spill_bytes = 0}), ::testing::ExitedWithCode(2),
      "--tsubu-memory=1000 is less than the least for 1 links with batches of 1024 bytes .--tsubu-batch.: 6144");
}

}  // namespace
}  // namespace tsubu::message
