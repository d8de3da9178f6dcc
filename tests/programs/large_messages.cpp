// Promise: a message may be larger than a batch, up to 4 GiB: as an argument, as a reply, and to the own PE.
// --bytes N sends one of N bytes instead (three times that much memory is used for it).
#include <numeric>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::large_messages {

std::uint64_t checksum(const std::vector<std::uint64_t>& v) {
  return std::accumulate(v.begin(), v.end(), std::uint64_t{v.size()}, [](auto a, auto b) { return a * 31 + b; });
}
std::uint64_t take(std::vector<std::uint64_t> v) { return checksum(v); }
std::size_t take_text(std::string s) { return s.size(); }
std::vector<std::uint64_t> give(std::size_t n) {
  std::vector<std::uint64_t> v(n);
  std::iota(v.begin(), v.end(), 7U);
  return v;
}
struct block {
  std::array<char, 20'000> bytes;
};
block turned(block b) {
  std::reverse(b.bytes.begin(), b.bytes.end());
  return b;
}

task<void> sizes(pe_id pe) {
  for (const std::size_t n : {1U, 1000U, 1023U, 1024U, 1025U, 8190U, 8191U, 8192U, 8193U, 100'000U, 8U << 20}) {
    std::vector<std::uint64_t> v = give(n);
    const std::uint64_t wanted = checksum(v);
    expect_equal(co_await at(pe).now<take>(std::move(v)), wanted,
                 "the checksum of an argument of " + std::to_string(n));
    const std::vector<std::uint64_t> back = co_await at(pe).now<give>(n);
    expect_equal(checksum(back), wanted, "the checksum of a reply of " + std::to_string(n));
  }
  block b{};
  b.bytes[0] = 'x';
  const block t = co_await at(pe).now<turned>(b);
  expect(t.bytes.back() == 'x' && t.bytes[0] == 0, "a plain value larger than a batch");
  const std::array<long, 2000> captured{1, 2, 3};
  expect_equal(co_await at(pe).now([captured] { return captured[1] + captured[1999]; }), 2,
               "a lambda larger than a batch");
}

task<int> program(arguments args) {
  if (const std::size_t bytes = option(args, "--bytes", 0); bytes != 0) {
    std::string text(bytes, 'g');
    expect_equal(co_await at(pe_count() - 1).now<take_text>(std::move(text)), bytes, "the length of a huge string");
    co_return 0;
  }
  for (pe_id pe = 0; pe < pe_count(); ++pe) co_await sizes(pe);
  // From all to all at once.
  auto some = co_await everywhere().now([]() -> task<long> {
    std::vector<future<std::vector<std::uint64_t>>> parts;
    for (pe_id pe = 0; pe < pe_count(); ++pe) parts.push_back(at(pe).future<give>(200'000));
    long right = 0;
    for (auto& part : parts) right += (co_await std::move(part)).size() == 200'000 ? 1 : 0;
    co_return right;
  });
  for (long right : some) expect_equal(right, pe_count(), "large replies at once");
  co_return 0;
}

const test::joined_program entry("large_messages", run, program);

}  // namespace programs::large_messages
