// Promise: shared variables and arrays give the same results under every protocol and while that changes, on every
// transport; values larger than a batch travel too; what is put in an epoch is in place at its end. Method: every PE
// makes random changes whose sum is known, meanwhile some change protocols; tiles of 200 KB are passed round; a chain
// of reads and writes from PE to PE must see each write that came before. What a change throws is caught as one type,
// wherever the value is. --seed N, --rounds N.
#include <numeric>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::shared_data {

protocol any_protocol(std::mt19937_64& random) { return protocol{static_cast<std::uint8_t>(below(random, protocols))}; }

long take(long& value, long by) { return value -= by; }

// What is taken from one element is added to another: the sum stays.
task<void> transfers(std::mt19937_64& random, protocol how, int rounds) {
  constexpr std::size_t accounts = 40;
  auto book = co_await create_shared_array(accounts, by_cycle(), how, 100L);
  for (int i = 0; i < rounds; ++i) {
    const long amount = static_cast<long>(below(random, 50));
    co_await book[below(random, accounts)].change<take>(amount);
    book[below(random, accounts)].add(amount);
    if (below(random, 20) == 0) co_await book[below(random, accounts)].set_protocol(any_protocol(random));
  }
  co_await quiescence();
  std::vector<long> all(accounts);
  co_await book.read(0, all);
  expect_equal(std::accumulate(all.begin(), all.end(), 0L), 100L * accounts, "the sum of all accounts");
  co_await book.end();
}

std::size_t grow(std::vector<long>& v, std::size_t by, long with) {
  v.insert(v.end(), by, with);
  return v.size();
}

task<void> large_values(protocol how) {
  auto tiles = co_await create_shared_array(2, by_block(), how, std::vector<long>());
  constexpr std::size_t piece = 25'000;
  const auto all = static_cast<std::size_t>(pe_count());
  const std::size_t size = co_await tiles[1].change<grow>(piece, static_cast<long>(this_pe()));
  expect(size % piece == 0 && size <= piece * all, "a tile of whole pieces");
  co_await barrier();
  const std::vector<long> seen = co_await tiles[1].read();
  expect_equal(seen.size(), piece * all, "the size of the tile");
  expect_equal(static_cast<std::size_t>(std::ranges::count(seen, this_pe())), piece, "what this PE has added");
  co_await tiles.end();
}

// Each PE writes after it has heard that the one before has: then nobody may see less than it has heard of.
pe_local<shared<long>> chain;
task<long> write_and_pass_on(long heard, long most) {
  expect(co_await chain->read() >= heard, "no read gives less than a write that came before");
  if (heard == most) co_return heard;
  co_await chain->write(heard + 1);
  const pe_id next = static_cast<pe_id>((this_pe() + 1) % pe_count());
  co_return co_await at(next).now<write_and_pass_on>(heard + 1, most);
}
task<void> chains(protocol how, int rounds) {
  shared<long> x;
  if (this_pe() == 0) x = create_shared(how, 0L);
  *chain = co_await broadcast(x);
  co_await barrier();
  if (this_pe() == 0) {
    const long last = co_await write_and_pass_on(0, rounds);
    expect_equal(co_await chain->read(), last, "what the last has written");
  } else {
    for (long before = 0; before < rounds;) {
      const long now = co_await chain->read();
      expect(now >= before, "what one PE reads does not go back");
      before = now;
      co_await yield();
    }
  }
  co_await barrier();
  if (this_pe() == 0) co_await chain->end();
}

// What a change throws looks the same wherever the value is, at home and elsewhere.
struct too_low {
  long by;
};
struct empty_purse : std::runtime_error {
  using std::runtime_error::runtime_error;
};
const bool empty_purse_travels = register_exception<empty_purse>();
long draw(long& value, long by) {
  if (by == 0) throw 42;
  if (by > 1000) throw empty_purse("no coin");
  if (by > value) throw too_low{by - value};
  return value -= by;
}
template <class As, class Place>
task<std::string> caught_from(Place purse, long by) {
  try {
    co_await purse.template change<draw>(by);
  } catch (const As& e) {
    co_return dynamic_cast<const remote_error&>(e).message();
  } catch (...) {
  }
  co_return "nothing of that type";
}
template <class Place>
task<void> what_changes_throw(Place purse) {
  for (int twice = 0; twice < 2; ++twice) {  // the value may have come here
    std::string said = co_await caught_from<remote_error>(purse, 0);
    expect(said == "42", "a number that a change throws: " + said);
    said = co_await caught_from<std::runtime_error>(purse, 70);
    expect(said.empty(), "an exception of no registered type: " + said);
    said = co_await caught_from<empty_purse>(purse, 2000);
    expect(said == "no coin", "an exception of a registered type: " + said);
    co_await purse.template change<draw>(1L);
  }
}
task<void> errors(protocol how) {
  auto purses = co_await create_shared_array(2 * static_cast<std::size_t>(pe_count()), by_cycle(), how, 60L);
  // First one that nobody else has, then one of all.
  co_await what_changes_throw(purses[static_cast<std::size_t>(this_pe())]);
  co_await barrier();
  co_await what_changes_throw(purses[0]);
  shared<long> x;
  if (this_pe() == 0) x = create_shared(how, 60L);
  x = co_await broadcast(x);
  co_await what_changes_throw(x);
  co_await barrier();
  if (this_pe() == 0) co_await x.end();
  co_await purses.end();
}

task<void> in_epochs(protocol how) {
  shared<long> x;
  if (this_pe() == pe_count() - 1) x = create_shared(how, 0L);
  *chain = co_await broadcast(x, pe_count() - 1);
  co_await barrier();
  expect_equal(co_await chain->read(), 0, "the first value");
  co_await barrier();
  if (this_pe() == 0) {
    auto everybody_adds = [] {
      (void)everywhere().past([] {
        for (long i = 1; i <= 100; ++i) chain->add(i);
        chain->add<reduce::max>(-1);
      });
    };
    co_await epoch(everybody_adds);
    expect_equal(co_await chain->read(), 5050L * pe_count(), "the sum at the end of its epoch");
    expect_equal(co_await at(pe_count() - 1).now([]() -> task<long> { co_return co_await chain->read(); }),
                 5050L * pe_count(), "the sum at its home");
  }
  co_await barrier();
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const int rounds = static_cast<int>(option(args, "--rounds", 20));
  for (std::uint8_t p = 0; p < protocols; ++p) {
    const protocol how{p};
    co_await transfers(random, how, 10 * rounds);
    co_await large_values(how);
    co_await chains(how, 5 * rounds);
    co_await errors(how);
    co_await in_epochs(how);
  }
  co_return 0;
}

const test::joined_program entry("shared_data", run_spmd, program);

}  // namespace programs::shared_data
