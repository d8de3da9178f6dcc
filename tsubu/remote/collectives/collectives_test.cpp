// Promise: an all_reduce combines the values in the same pairs, on every PE and whether or not they meet on one, so
// that the bits of a sum do not depend on how many cores there are; in the order of the ranks, unless the operation
// commutes, also long vectors and in teams; all_gather gives the same either way, and nobody
// leaves a barrier before all have come. Each value of all_to_all, all_gather and gather comes from where it should,
// whatever its size, in jobs and teams of one row and of several. Method: jobs of many sizes in one thread, with an
// operation that writes down what it combines, and values that say whose they are.
#include "tsubu/remote/collectives/collectives.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/interleaved_job.hpp"
#include "tsubu/remote/collectives/team.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::collectives_test {
namespace {

// Short, as far as collectives are concerned.
struct text {
  std::array<char, 200> letters{};
  std::string_view view() const { return letters.data(); }
};
text made(const std::string& from) {
  text t;
  EXPECT_LT(from.size(), t.letters.size());
  std::memcpy(t.letters.data(), from.data(), from.size());
  return t;
}
text in_brackets(text a, text b) { return made('(' + std::string(a.view()) + ' ' + std::string(b.view()) + ')'); }

// What the PEs of a job have seen. One thread holds them all.
struct results {
  std::vector<std::string> reduced;
  std::vector<std::vector<long>> gathered;
  std::vector<std::vector<bool>> odd;
  int came = 0;
  std::uint64_t packets = 0;
};
results seen;

task<void> program() {
  const pe_id me = this_pe();
  const text all = co_await all_reduce(made(std::to_string(me)), in_brackets);
  seen.reduced.emplace_back(all.view());
  std::vector<long> values = co_await all_gather(long{me} * me);
  seen.gathered.push_back(std::move(values));
  std::vector<bool> odd = co_await all_gather(me % 2 == 1);
  seen.odd.push_back(std::move(odd));
  const bool any = co_await all_reduce(me == pe_count() - 1, reduce::any);
  EXPECT_TRUE(any);
  ++seen.came;
  co_await barrier();
  EXPECT_EQ(seen.came, pe_count()) << "PE " << me << " leaves a barrier before all have come";
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

// Runs it on all PEs, to its end.
void run_on_all(test::interleaved_job& job, bool shares_cores, task<void> (*program)()) {
  seen = {};
  const pe_id pes = job.wires().size();
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    if (shares_cores) job.wires()[pe].share_cores();
    job[pe];
    spawn(program());
  }
  EXPECT_TRUE(job.run());
}

results run(pe_id pes, bool shares_cores) {
  test::interleaved_job job(pes, static_cast<std::uint64_t>(pes));
  run_on_all(job, shares_cores, &program);
  for (pe_id pe = 0; pe < pes; ++pe) seen.packets += job[pe].messages.sent();
  EXPECT_EQ(seen.reduced.size(), static_cast<std::size_t>(pes));
  return seen;
}

TEST(collectives, are_the_same_on_all_pes_and_either_way) {
  for (const pe_id pes : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 20}) {
    SCOPED_TRACE(std::to_string(pes) + " PEs");
    const results apart = run(pes, false), on_one = run(pes, true);
    std::vector<long> squares;
    std::vector<bool> odd;
    for (long pe = 0; pe < pes; ++pe) {
      squares.push_back(pe * pe);
      odd.push_back(pe % 2 == 1);
    }
    EXPECT_EQ(on_one.packets < apart.packets, pes > 4) << "fewer packets is what it is for";
    for (const results* r : {&apart, &on_one}) {
      for (const std::string& one : r->reduced) EXPECT_EQ(one, apart.reduced.front());
      for (const std::vector<long>& one : r->gathered) EXPECT_EQ(one, squares);
      for (const std::vector<bool>& one : r->odd) EXPECT_EQ(one, odd);
    }
  }
}

TEST(collectives, combine_neighbours_first) {
  EXPECT_EQ(run(4, false).reduced.front(), "((0 1) (2 3))");
  EXPECT_EQ(run(6, true).reduced.front(), "(((0 1) (2 3)) (4 5))");
}

// A PE's own is a step, and what they combine to is the path of all.
struct matrix {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;
  bool operator==(const matrix&) const = default;
  friend matrix operator*(matrix x, matrix y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};
matrix step_of(pe_id rank, std::size_t element) {
  return {1, static_cast<std::uint32_t>(rank) + 1, static_cast<std::uint32_t>(element % 7), 1};
}
std::vector<matrix> steps_of(pe_id rank, std::size_t elements) {
  std::vector<matrix> steps;
  for (std::size_t i = 0; i < elements; ++i) steps.push_back(step_of(rank, i));
  return steps;
}
std::string glue(std::string a, std::string b) { return a + b; }

task<void> reduce_in_order(team t, std::size_t elements) {
  std::string text, wanted_text;
  std::vector<matrix> wanted(elements);
  for (pe_id rank = 0; rank < t.size(); ++rank) {
    const std::vector<matrix> next = steps_of(rank, elements);
    for (std::size_t i = 0; i < elements; ++i) wanted[i] = wanted[i] * next[i];
    wanted_text += '<' + std::to_string(rank) + '>';
  }
  const std::string mine = '<' + std::to_string(t.rank()) + '>';
  text = co_await all_reduce(t, mine, glue);
  EXPECT_EQ(text, wanted_text);
  text = co_await all_reduce(t, mine, reduce::plus);
  EXPECT_EQ(text, wanted_text) << "text is no number";
  const std::vector<matrix> products = co_await all_reduce(t, steps_of(t.rank(), elements), reduce::times);
  EXPECT_EQ(products, wanted);
  for (const pe_id root : {t.size() - 1, t.size() / 3}) {
    text = co_await reduce_to(t, root, mine, glue);
    if (t.rank() == root) {
      EXPECT_EQ(text, wanted_text);
    }
    const matrix one = co_await reduce_to(t, root, step_of(t.rank(), 3), reduce::times);
    if (t.rank() == root && elements > 3) {
      EXPECT_EQ(one, wanted[3]);
    }
    const int largest =
        co_await reduce_to(t, root, t.rank() * 7, reduce::commuting([](int a, int b) { return a ^ b; }));
    int wanted_bits = 0;
    for (pe_id rank = 0; rank < t.size(); ++rank) wanted_bits ^= rank * 7;
    if (t.rank() == root) {
      EXPECT_EQ(largest, wanted_bits);
    }
  }
  const std::string before = co_await scan(t, mine, glue);
  EXPECT_EQ(before, wanted_text.substr(0, before.size()));
  EXPECT_TRUE(before.ends_with(mine));
}

task<void> reduce_all_in_order() {
  for (const std::size_t elements : {5U, 200U, 4500U}) co_await reduce_in_order(world(), elements);
  team t = co_await world().split(this_pe() % 2, -this_pe());
  co_await reduce_in_order(t, 1100);
  ++seen.came;
  co_await barrier();
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

TEST(collectives, combine_in_the_order_of_the_ranks) {
  for (const pe_id pes : {1, 2, 3, 5, 6, 7, 8, 13, 19, 67}) {
    for (const bool shares_cores : {false, true}) {
      SCOPED_TRACE(std::to_string(pes) + " PEs");
      test::interleaved_job job(pes, static_cast<std::uint64_t>(pes));
      run_on_all(job, shares_cores, &reduce_all_in_order);
      EXPECT_EQ(seen.came, pes);
    }
  }
}

// As many packets as before, whichever way.
TEST(collectives, keep_order_at_no_cost) {
  static_assert(!reduce::commutes<decltype(&in_brackets), text>);
  static_assert(reduce::commutes<reduce::plus_op, double> && !reduce::commutes<reduce::plus_op, std::string>);
  static_assert(reduce::commutes<reduce::commuting_op<decltype(&glue)>, std::string>);
  EXPECT_EQ(reduce::of_none<int>(reduce::commuting(reduce::times)), 1);
  EXPECT_THROW(reduce::of_none<int>(reduce::commuting(&glue)), std::invalid_argument);
  for (pe_id size = 1; size < 70; ++size) {
    for (const bool in_order : {false, true}) {
      const remote::round_members members(size, in_order);
      std::vector<pe_id> takes_part;
      for (pe_id rank = 0; rank < size; ++rank) {
        const pe_id partner = members.partner(rank);
        if (partner != no_pe) {
          EXPECT_EQ(members.partner(partner), rank);
        }
        if (members.lends(rank)) {
          EXPECT_FALSE(members.lends(partner));
          if (in_order) {
            EXPECT_EQ(partner, rank - 1);
          }
          continue;
        }
        EXPECT_EQ(members.rank(members.number(rank)), rank);
        takes_part.push_back(members.number(rank));
      }
      EXPECT_EQ(takes_part.size(), std::bit_floor(static_cast<std::size_t>(size)));
      EXPECT_TRUE(std::ranges::is_sorted(takes_part)) << "numbers are in the order of the ranks";
    }
  }
}

// What a member says to another; some of it is too long to ride with others'.
std::string said(pe_id from, pe_id to, int size_class) {
  std::string text = std::to_string(from) + '>' + std::to_string(to);
  if (size_class != 0 && (from * 31 + to * 7) % size_class == 0) text.resize(3000, '.');
  return text;
}

// The same as elements of a struct, as many as text has letters: long ones go as bulks.
struct letter {
  double of;
  char what;
  bool operator==(const letter&) const = default;
};
std::vector<letter> spelled(pe_id from, pe_id to, int size_class) {
  std::vector<letter> letters;
  for (const char c : said(from, to, size_class)) letters.push_back({from + to / 1000.0, c});
  return letters;
}

task<void> exchange_in(team t, int size_class) {
  const pe_id me = t.rank(), p = t.size();
  std::vector<std::string> texts;
  std::vector<int> numbers;
  std::vector<bool> bits;
  std::vector<std::vector<letter>> letters;
  for (pe_id to = 0; to < p; ++to) {
    texts.push_back(said(me, to, size_class));
    letters.push_back(spelled(me, to, size_class));
    numbers.push_back(me * 1000 + to);
    bits.push_back((me + to) % 3 == 0);
  }
  texts = co_await all_to_all(t, std::move(texts));
  numbers = co_await all_to_all(t, std::move(numbers));
  bits = co_await all_to_all(t, std::move(bits));
  letters = co_await all_to_all(t, std::move(letters));
  std::vector<std::string> of_all = co_await all_gather(t, said(me, 0, size_class));
  const std::vector<pe_id> ranks = co_await all_gather(t, me);
  const std::vector<std::vector<double>> rows =
      co_await all_gather(t, std::vector<double>(static_cast<std::size_t>(me % 5), me));
  std::vector<std::vector<letter>> letters_of_all = co_await all_gather(t, spelled(me, 0, size_class));
  for (pe_id from = 0; from < p; ++from) {
    const auto i = static_cast<std::size_t>(from);
    EXPECT_EQ(texts[i], said(from, me, size_class));
    EXPECT_EQ(numbers[i], from * 1000 + me);
    EXPECT_EQ(bits[i], (me + from) % 3 == 0);
    EXPECT_EQ(letters[i], spelled(from, me, size_class));
    EXPECT_EQ(of_all[i], said(from, 0, size_class));
    EXPECT_EQ(letters_of_all[i], spelled(from, 0, size_class));
    EXPECT_EQ(ranks[i], from);
    EXPECT_EQ(rows[i], std::vector<double>(static_cast<std::size_t>(from % 5), from));
    std::ranges::fill(letters_of_all[i], letter{});  // they are this PE's alone, whatever others still wait for
  }
  for (const pe_id root : {pe_id{0}, p / 2, p - 1}) {
    const std::vector<std::string> gathered = co_await gather(t, said(me, root, size_class), root);
    const std::vector<pe_id> gathered_ranks = co_await gather(t, me, root);
    EXPECT_EQ(gathered.size(), me == root ? static_cast<std::size_t>(p) : 0);
    EXPECT_EQ(gathered_ranks.size(), gathered.size());
    for (pe_id from = 0; from < static_cast<pe_id>(gathered.size()); ++from) {
      EXPECT_EQ(gathered[static_cast<std::size_t>(from)], said(from, root, size_class));
      EXPECT_EQ(gathered_ranks[static_cast<std::size_t>(from)], from);
    }
  }
}

// Members of `apart` PEs from each other share a row with fewer.
task<void> exchange_everywhere(pe_id apart) {
  for (const int size_class : {0, 5}) {
    if (apart == 1) {
      co_await exchange_in(world(), size_class);
    } else {
      const team t = co_await world().split(this_pe() % apart);
      co_await exchange_in(t, size_class);
    }
  }
  ++seen.came;
  co_await barrier();
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

void run_exchanges(pe_id pes, pe_id apart, int hops) {
  SCOPED_TRACE(std::to_string(pes) + " PEs, members " + std::to_string(apart) + " apart, hops " + std::to_string(hops));
  seen = {};
  test::interleaved_job job(pes, static_cast<std::uint64_t>(pes), hops);
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    spawn(exchange_everywhere(apart));
  }
  EXPECT_TRUE(job.run());
  EXPECT_EQ(seen.came, pes);
}

TEST(collectives, bring_each_value_to_its_place) {
  for (const pe_id pes : {1, 2, 7, 8, 9, 10, 16, 21, 37}) run_exchanges(pes, 1, 1);
  for (const pe_id pes : {65, 70, 100}) run_exchanges(pes, 1, pes == 65 ? 1 : 2);
}

TEST(collectives, bring_each_value_to_its_place_in_teams) {
  run_exchanges(72, 2, 2);
  run_exchanges(61, 5, 1);
  run_exchanges(130, 13, 2);
}

// Vectors that are reduced in halves, sent in pieces, or neither; the same bits in any case.
task<void> reduce_vectors(std::size_t elements) {
  std::vector<double> mine(elements);
  for (std::size_t i = 0; i < elements; ++i) mine[i] = 1.0 / (1.0 + this_pe() + static_cast<double>(i));
  std::vector<double> came = co_await all_reduce(mine, reduce::plus);
  const std::vector<double> sums = came;
  std::ranges::fill(came, -1);  // it is this PE's alone, whatever others still wait for
  EXPECT_EQ(sums.size(), elements);
  for (std::size_t i = 0; i < elements; i += 1 + elements / 16) {
    const double alone = co_await all_reduce(mine[i], reduce::plus);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(sums[i]), std::bit_cast<std::uint64_t>(alone)) << "element " << i;
  }
  const pe_id root = pe_count() / 3;
  std::vector<double> given;
  if (this_pe() == root) {
    given = sums;
  } else if (elements % 2 == 0) {
    given.resize(elements);  // where what comes may lie
  }
  given = co_await broadcast(std::move(given), root);
  EXPECT_EQ(given, sums);
  std::ranges::fill(given, -1);
}

task<void> reduce_all_lengths() {
  for (const std::size_t elements : {0U, 1U, 130U, 1000U, 5000U, 8193U}) co_await reduce_vectors(elements);
  ++seen.came;
  co_await barrier();
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

TEST(collectives, reduce_and_send_vectors_of_any_length) {
  for (const pe_id pes : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 19, 66}) {
    SCOPED_TRACE(std::to_string(pes) + " PEs");
    seen = {};
    test::interleaved_job job(pes, static_cast<std::uint64_t>(pes));
    job[0].expect_programs(pes);
    for (pe_id pe = 0; pe < pes; ++pe) {
      job[pe];
      spawn(reduce_all_lengths());
    }
    EXPECT_TRUE(job.run());
    EXPECT_EQ(seen.came, pes);
  }
}

}  // namespace
}  // namespace tsubu::collectives_test
