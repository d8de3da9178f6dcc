// Promise: every collective over a team gives what it gives over a job of the team's members, for teams from splits of
// splits, in any order of ranks; teams that overlap may be in collectives at the same time; everywhere(team) reaches
// the members, from inside and outside; an epoch of a team ends on every member when all that any of them has caused
// has run; a team may be sent. Method: rows and columns of a grid, and random splits held against what each PE works
// out by itself. --seed N, --rounds N.
#include <algorithm>
#include <map>
#include <numeric>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::teams {

using pes = std::vector<pe_id>;

struct join_op {
  std::string operator()(std::string a, std::string b) const { return std::move(a) + std::move(b); }
};
std::string name_of(pe_id pe) { return "<" + std::to_string(pe) + ">"; }
std::string names(const pes& of, std::size_t first, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += name_of(of[(first + i) % of.size()]);
  return all;
}

// All of them, over a team that should have these members.
task<void> collectives(team t, pes members) {
  const std::size_t size = members.size();
  const pe_id me = t.rank(), p = t.size();
  expect_equal(p, size, "a team's size");
  expect_equal(t.pe(me), this_pe(), "the PE of this PE's rank");
  for (pe_id rank = 0; rank < p; ++rank) {
    expect_equal(t.pe(rank), members[static_cast<std::size_t>(rank)], "the PE of rank " + std::to_string(rank));
    expect_equal(t.rank_of(t.pe(rank)), rank, "the rank of a PE");
  }
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    expect_equal(t.has(pe), std::find(members.begin(), members.end(), pe) != members.end(), "who is a member");
  }
  const pes gathered = co_await all_gather(t, this_pe());
  expect(gathered == members, "all_gather over " + t.name());
  const long sum = co_await all_reduce(t, long{this_pe()}, reduce::plus);
  expect_equal(sum, std::accumulate(members.begin(), members.end(), 0L), "all_reduce over " + t.name());
  const std::string before = co_await scan(t, name_of(this_pe()), join_op{});
  expect(before == names(members, 0, static_cast<std::size_t>(me) + 1), "scan over " + t.name());
  std::vector<pes> rows(size);
  for (std::size_t to = 0; to < size; ++to) rows[to] = pes(to % 3, this_pe());
  rows = co_await all_to_all(t, std::move(rows));
  for (std::size_t from = 0; from < size; ++from) {
    expect(rows[from] == pes(static_cast<std::size_t>(me) % 3, members[from]), "all_to_all over " + t.name());
  }
  for (const pe_id root : {0, p / 2, p - 1}) {
    const std::string said = co_await broadcast(t, name_of(this_pe()), root);
    expect(said == name_of(t.pe(root)), "broadcast over " + t.name());
    const std::string joined = co_await reduce_to(t, root, name_of(this_pe()), join_op{});
    if (me == root) expect(joined == names(members, 0, size), "reduce_to of " + t.name());
    const pes values = co_await gather(t, this_pe(), root);
    expect(me == root ? values == members : values.empty(), "gather over " + t.name());
  }
  co_await barrier(t);
}

// ---- a grid

struct grid {
  team row, column;
};

task<grid> made_grid(int columns) {
  const int me = this_pe();
  grid g;
  g.row = co_await world().split(me / columns);
  g.column = co_await world().split(me % columns, -me);  // from the last row to the first
  co_return g;
}

task<void> rows_and_columns() {
  const int columns = pe_count() % 2 == 0 ? pe_count() / 2 : 2;
  const grid g = co_await made_grid(columns);
  pes row, column;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe / columns == this_pe() / columns) row.push_back(pe);
    if (pe % columns == this_pe() % columns) column.insert(column.begin(), pe);
  }
  expect(g.row != g.column && g.row != world() && g.row == team(g.row), "which teams are the same");
  co_await collectives(g.row, row);
  co_await collectives(g.column, column);
  // Each in a task of its own, and the whole job in another.
  pes all(static_cast<std::size_t>(pe_count()));
  std::iota(all.begin(), all.end(), 0);
  for (int i = 0; i < 3; ++i) {
    co_await when_all(collectives(g.column, column), collectives(world(), all), collectives(g.row, row));
  }
}

// ---- random splits

std::uint64_t chance(std::uint64_t seed, std::uint64_t of) { return std::mt19937_64(seed * 1000 + of)(); }
std::optional<int> colour_of(std::uint64_t seed, pe_id pe) {
  const std::uint64_t n = chance(seed, static_cast<std::uint64_t>(pe)) % 8;
  return n == 7 ? std::nullopt : std::optional(static_cast<int>(n % 3) - 1);
}
int key_of(std::uint64_t seed, pe_id pe) {
  return static_cast<int>(chance(seed + 1, static_cast<std::uint64_t>(pe)) % 4) - 2;
}

task<void> random_splits(team from, pes members, std::uint64_t seed, int depth) {
  const std::optional<int> mine = colour_of(seed, this_pe());
  const team made = co_await from.split(mine, key_of(seed, this_pe()));
  expect_equal(static_cast<bool>(made), mine.has_value(), "whether a split gives a team");
  if (!made) co_return;
  std::erase_if(members, [&](pe_id pe) { return colour_of(seed, pe) != mine; });
  std::stable_sort(members.begin(), members.end(), [&](pe_id a, pe_id b) { return key_of(seed, a) < key_of(seed, b); });
  co_await collectives(made, members);
  if (depth > 1) co_await random_splits(made, members, seed + 10, depth - 1);
}

// ---- messages to members, and with teams in them

pe_local<std::map<int, int>> visits;

void visit(int what) { ++(*visits)[what]; }
int visited(int what) { return (*visits)[what]; }

// A handler on any PE, member or not.
int rank_here(team t) { return t.rank(); }
struct letter {
  std::vector<team> teams;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(teams);
  }
};
task<long> sum_of_ranks(letter l) {
  long sum = 0;
  for (const team& t : l.teams) {
    if (t) sum += co_await everywhere(t).now<rank_here>(reduce::plus, t);
  }
  co_return sum;
}

task<void> messages() {
  const team half = co_await world().split(this_pe() % 2, -this_pe());
  const pe_id other = (this_pe() + 1) % pe_count();
  // From PE 0 to both halves: it is in one of them only.
  if (this_pe() == 0) {
    co_await everywhere(half).past<visit>(0);
    const team halves = co_await at(other).now([](team t) { return t; }, half);
    expect(halves == half, "a team that has been on another PE is the same");
    const pes at_last = co_await everywhere(half).now([] { return this_pe(); });
    for (pe_id rank = 0; rank < half.size(); ++rank) {
      expect_equal(at_last[static_cast<std::size_t>(rank)], half.pe(rank), "answers are by rank");
    }
  }
  co_await quiescence();
  expect_equal(visited(0), this_pe() % 2 == 0 ? 1 : 0, "messages to half of the PEs");
  letter l;
  l.teams = {half, team(), world()};
  const long n = half.size(), p = pe_count();
  const long sum = co_await at(other).now<sum_of_ranks>(l);
  expect_equal(sum, n * (n - 1) / 2 + p * (p - 1) / 2, "the ranks of a team that was sent");
  // Everyone learns of rank 0's team, and the others send to it.
  const team first = co_await broadcast(world(), half, 0);
  expect_equal(first.has(this_pe()), this_pe() % 2 == 0, "a team by broadcast");
  co_await everywhere(first).past<visit>(1);
  co_await quiescence();
  expect_equal(visited(1), first.has(this_pe()) ? pe_count() : 0, "messages from outside");
  co_await barrier();
  (*visits).clear();
}

// ---- epochs

pe_local<std::map<std::uint64_t, long>> counted;

void spread(std::uint64_t book, int depth) {
  ++(*counted)[book];
  if (depth == 0) return;
  for (int i = 1; i <= 2; ++i) at((this_pe() * 3 + i) % pe_count()).past<spread>(book, depth - 1);
}
long counted_here(std::uint64_t book) { return (*counted)[book]; }

task<void> epoch_of(team t, std::uint64_t book, int depth) {
  auto body = [t, book, depth]() -> task<void> {
    if (t.rank() % 2 == 1) co_await sleep_for(std::chrono::microseconds(20 * t.rank()));
    at(this_pe()).past<spread>(book, depth);
    co_await at((this_pe() + 1) % pe_count()).now<spread>(book, depth);
  };
  co_await epoch(t, body);
  // On every member, without a further word: all have run.
  const long sum = co_await everywhere().now<counted_here>(reduce::plus, book);
  expect_equal(sum, 2 * long{t.size()} * ((2L << depth) - 1), "what an epoch of a team has caused");
}

// A name for the n-th epoch of a team.
std::uint64_t book_of(const team& t, std::uint64_t n) { return n << 32 | static_cast<std::uint64_t>(t.pe(0)); }

task<void> epochs() {
  const team half = co_await world().split(this_pe() % 2), pair = co_await world().split(this_pe() / 2, -this_pe());
  co_await epoch_of(half, book_of(half, 1), 5);
  co_await epoch_of(world(), book_of(world(), 2), 3);
  // Two at once on each PE, each of its own team; and one within another.
  co_await when_all(epoch_of(half, book_of(half, 3), 5), epoch_of(pair, book_of(pair, 4), 6));
  auto outer = [pair]() -> task<void> { co_await epoch_of(pair, book_of(pair, 5), 2); };
  co_await epoch(half, outer);
  // Who throws gets it back; the others end well.
  const auto last_throws = [half] {
    if (half.rank() == half.size() - 1) throw std::runtime_error("the last one");
  };
  bool caught = false;
  try {
    co_await epoch(half, last_throws);
  } catch (const std::runtime_error&) {
    caught = true;
  }
  expect_equal(caught, half.rank() == half.size() - 1, "who gets an exception of a body");
  co_await barrier();
  (*counted).clear();
}

task<int> program(arguments args) {
  const std::uint64_t seed = option(args, "--seed", 1), rounds = option(args, "--rounds", 5);
  if (this_pe() == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  co_await rows_and_columns();
  pes all(static_cast<std::size_t>(pe_count()));
  std::iota(all.begin(), all.end(), 0);
  for (std::uint64_t round = 0; round < rounds; ++round) co_await random_splits(world(), all, seed + 100 * round, 4);
  co_await messages();
  co_await epochs();
  co_return 0;
}

const test::joined_program entry("teams", run_spmd, program);

}  // namespace programs::teams
