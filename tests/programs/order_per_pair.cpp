// Promise: what one PE sends to another is executed once, in the order it was sent, whatever its size.
// Method: every PE sends numbered messages to random PEs, itself included: fixed ones, strings, ones
// larger than a batch, remote writes; between them it waits, yields and asks. --seed N --sends N.
#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::order_per_pair {

struct received {
  std::vector<long> next = std::vector<long>(static_cast<std::size_t>(pe_count()), 0);
};
pe_local<received> arrived;

void take(pe_id from, long number) {
  long& next = arrived->next[static_cast<std::size_t>(from)];
  if (number != next) {
    fail("message " + std::to_string(number) + " of PE " + std::to_string(from) + " came when " + std::to_string(next) +
         " was due");
  }
  ++next;
}
void take_text(pe_id from, long number, std::string text) {
  take(from, number);
  expect(text.size() == static_cast<std::size_t>(number % 400), "a text has its length");
}
void take_block(pe_id from, long number, std::vector<long> block) {
  take(from, number);
  for (long value : block) expect_equal(value, number, "a value of a block");
}
long taken(pe_id from) { return arrived->next[static_cast<std::size_t>(from)]; }

// Writes of a sender into its own cells, by packets and by bulks: the last one is what stays.
constexpr std::size_t cells = 2000;
pe_local<std::vector<long>> board([] { return std::vector<long>(cells * static_cast<std::size_t>(pe_count()), -1); });

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const pe_id p = pe_count();
  const auto own = static_cast<std::size_t>(this_pe());
  auto mine = share(std::span<long>(*board));
  const auto boards = co_await all_gather(mine);
  std::vector<long> sent(static_cast<std::size_t>(p), 0);
  std::vector<long> written(static_cast<std::size_t>(p), -1);
  std::vector<long> block(cells);

  const auto sends = static_cast<long>(option(args, "--sends", 20'000));
  for (long i = 0; i < sends; ++i) {
    const auto to = static_cast<pe_id>(below(random, static_cast<std::size_t>(p)));
    long& number = sent[static_cast<std::size_t>(to)];
    const auto cell = boards[static_cast<std::size_t>(to)] + static_cast<std::ptrdiff_t>(own * cells);
    switch (below(random, 400)) {
      case 0:
        at(to).past<take_block>(this_pe(), number, std::vector<long>(10'000, number));
        ++number;
        break;
      case 1:
        std::fill(block.begin(), block.end(), i);
        co_await cell.write(std::span<const long>(block));
        written[static_cast<std::size_t>(to)] = i;
        break;
      case 2:
        co_await yield();
        break;
      case 3:
        expect_equal(co_await at(to).now<taken>(this_pe()), number, "what was taken when the reply was sent");
        break;
      case 4:
        co_await at(to).past<take>(this_pe(), number);
        ++number;
        break;
      default:
        if (i % 7 == 0) {
          (cell + static_cast<std::ptrdiff_t>(below(random, cells))).put(i);
        } else if (i % 3 == 0) {
          at(to).past<take_text>(this_pe(), number, std::string(static_cast<std::size_t>(number % 400), 'x'));
          ++number;
        } else {
          at(to).past<take>(this_pe(), number);
          ++number;
        }
    }
  }
  // A packet sent before a bulk must not be executed after it.
  for (pe_id to = 0; to < p; ++to) {
    const auto cell = boards[static_cast<std::size_t>(to)] + static_cast<std::ptrdiff_t>(own * cells);
    for (int round = 0; round < 20; ++round) {
      for (std::ptrdiff_t k = 0; k < 100; ++k) (cell + k).put(-7);
      std::fill(block.begin(), block.end(), round);
      co_await cell.write(std::span<const long>(block));
      std::vector<long> back(cells);
      co_await cell.read(std::span<long>(back));
      for (std::size_t k = 0; k < cells; ++k) {
        expect_equal(back[k], round, "cell " + std::to_string(k) + " on PE " + std::to_string(to) + " after a bulk");
      }
    }
  }
  for (pe_id to = 0; to < p; ++to) {
    expect_equal(co_await at(to).now<taken>(this_pe()), sent[static_cast<std::size_t>(to)],
                 "the messages taken by a PE");
  }
  co_await quiescence();
  unshare(mine);
  co_return 0;
}

const test::joined_program entry("order_per_pair", run_spmd, program);

}  // namespace programs::order_per_pair
