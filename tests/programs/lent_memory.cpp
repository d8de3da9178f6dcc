// Promise: a shared array larger than the memory of the PE that is the home of all its elements gives the results that
// it would give in memory while its blocks are with other PEs, go back because those need their memory, and come when
// somebody accesses them, under every protocol. Method: several tasks of each PE read, write, change, add to and put
// random elements, of which each is written by one task only, upwards: it always knows what is in its own, and nobody
// may ever read less than before. Meanwhile protocols change and the last PE makes an array of its own. --seed N,
// --steps N, --blocks N of 64 KiB.
#include <unordered_map>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/data/arrays/loans.hpp"

using namespace tsubu;

namespace programs::lent_memory {

pe_id on_first(std::size_t, std::size_t) { return 0; }
pe_id on_last(std::size_t, std::size_t) { return pe_count() - 1; }

using value = std::uint64_t;
using array = shared_array<value, by_map<on_first>>;
constexpr std::size_t in_a_block = 65'536 / sizeof(value);
constexpr std::size_t tasks = 4;

value increase(value& v, value by) { return v += by; }

// What a PE knows: of elements that its tasks write what is in them, of others the most that it has read.
class knowledge {
 public:
  value of(std::size_t i) const {
    const auto found = known_.find(i);
    return found != known_.end() ? found->second : 0;
  }
  void set(std::size_t i, value v) { known_[i] = v; }
  void seen(std::size_t i, value before, value now) {
    expect(now >= before, "element " + std::to_string(i) + " does not go back from " + std::to_string(before) + " to " +
                              std::to_string(now));
    set(i, std::max(of(i), now));
  }
  const std::unordered_map<std::size_t, value>& all() const { return known_; }

 private:
  std::unordered_map<std::size_t, value> known_;
};

struct writer_state {
  array cells;
  array totals;
  std::size_t who;  // of all tasks of all PEs
  std::mt19937_64 random;
  knowledge* mine;    // of this task
  knowledge* others;  // of this PE
};

std::size_t writers() { return tasks * static_cast<std::size_t>(pe_count()); }

task<void> change_own(writer_state& w, std::size_t i) {
  const value next = w.mine->of(i) + 1;
  switch (below(w.random, 4)) {
    case 0:
      co_await w.cells[i].write(next);
      break;
    case 1:
      expect_equal(co_await w.cells[i].change<increase>(1UL), next, "what the change gives");
      break;
    case 2:
      w.cells[i].add(1);
      break;
    default:
      co_await w.cells[i].put(next);
  }
  w.mine->set(i, next);
  if (below(w.random, 2) == 0) expect_equal(co_await w.cells[i].read(), next, "what this task has written");
}

task<void> steps(writer_state w, std::size_t count) {
  const std::size_t size = w.cells.size();
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t i = below(w.random, size);
    w.totals[below(w.random, size)].add(1);
    if (below(w.random, 3) == 0) {
      const value before = w.others->of(i);
      if (const value* here = w.cells[i].copy()) w.others->seen(i, before, *here);
      w.others->seen(i, before, co_await w.cells[i].read());
    } else {
      co_await change_own(w, i - i % writers() + w.who < size ? i - i % writers() + w.who : w.who);
    }
    if (below(w.random, 50) == 0) {
      co_await w.cells[i].set_protocol(protocol{static_cast<std::uint8_t>(below(w.random, protocols))});
    }
  }
}

task<void> all_tasks(std::vector<writer_state>& all, std::size_t count) {
  std::vector<task<void>> running;
  for (writer_state& w : all) {
    running.push_back(steps(w, count));
    w.random.discard(1000);
  }
  co_await when_all(std::move(running));
}

// The last PE needs its memory for itself.
task<void> array_of_the_last(std::size_t size) {
  auto own = co_await create_shared_array(size, by_map<on_last>(), protocol::global, value{7});
  for (std::size_t i = static_cast<std::size_t>(this_pe()); i < size; i += 97 * static_cast<std::size_t>(pe_count())) {
    expect_equal(co_await own[i].change<increase>(i), i + 7, "an element of the last PE's array");
  }
  co_await barrier();
  for (std::size_t i = 0; i < size; i += 501) {
    const value v = co_await own[i].read();
    expect(v == 7 || v == i + 7, "an element of the last PE's array");
  }
  co_await own.end();
}

task<value> sum(array a) {
  value all = 0;
  std::vector<value> piece(4096);
  for (std::size_t i = 0; i < a.size(); i += piece.size()) {
    if (i / piece.size() % static_cast<std::size_t>(pe_count()) != static_cast<std::size_t>(this_pe())) continue;
    co_await a.read(i, std::span<value>(piece));
    for (const value v : piece) all += v;
  }
  co_return co_await all_reduce(all, reduce::plus);
}

task<void> read_of_another(array a, value wanted) {
  expect_equal(co_await a[0].read(), wanted, "the value that its owner returns");
}
task<void> use_all_but_the_first(array a) {
  for (std::size_t i = in_a_block; i < a.size(); i += in_a_block) a[i].put(1);
  co_return;
}

// While PE 0 waits for a value that the last PE owns, the element's block becomes the one that was used least recently,
// and others have room for it.
task<void> owner_returns_late() {
  const std::size_t fit = std::min<std::size_t>(data::configured().memory_bytes / 65'536, 64);
  auto a = co_await create_shared_array((fit + 4) * in_a_block, by_map<on_first>(), protocol::mobile, value{5});
  if (this_pe() == pe_count() - 1) expect_equal(co_await a[0].change<increase>(1UL), 6UL, "what the change gives");
  co_await barrier();
  for (std::size_t b = 0; b < fit && this_pe() == 0; ++b) co_await a[b * in_a_block + 1].write(2);
  co_await quiescence();
  if (this_pe() == 0) {
    expect_equal(co_await a[1].read(), 2UL, "the element beside it");
    std::vector<task<void>> both;
    both.push_back(read_of_another(a, 6));
    both.push_back(use_all_but_the_first(a));
    co_await when_all(std::move(both));
  }
  co_await a.end();
}

// --lends 1: some blocks of PE 0 must have been with others.
task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  co_await owner_returns_late();
  const std::size_t size = option(args, "--blocks", 24) * in_a_block, count = option(args, "--steps", 150);
  const auto how = protocol{static_cast<std::uint8_t>(option(args, "--seed", 1) % protocols)};
  const array cells = co_await create_shared_array(size, by_map<on_first>(), how, value{0});
  const array totals = co_await create_shared_array(size, by_map<on_first>(), protocol::global, value{0});
  std::vector<knowledge> mine(tasks);
  knowledge others;
  std::vector<writer_state> all;
  for (std::size_t t = 0; t < tasks; ++t) {
    const std::size_t who = static_cast<std::size_t>(this_pe()) * tasks + t;
    all.push_back({cells, totals, who, std::mt19937_64(random()), &mine[t], &others});
  }
  co_await all_tasks(all, count);
  co_await array_of_the_last(option(args, "--last", 6) * in_a_block);

  auto body = [&]() -> task<void> { co_await all_tasks(all, count); };
  co_await epoch(body);
  co_await barrier();
  expect_equal(co_await sum(totals), 2 * count * writers(), "all additions, after the epochs");
  co_await quiescence();
  for (const knowledge& k : mine) {
    for (const auto& [i, v] : k.all()) expect_equal(co_await cells[i].read(), v, "what its writer has made of it");
  }
  const std::uint64_t lent = data::this_space().lent->blocks_lent();
  expect(this_pe() != 0 || pe_count() == 1 || option(args, "--lends", 0) == 0 || lent != 0, "blocks were with others");
  co_await totals.end();
  if (option(args, "--seed", 1) % 2 == 0) co_await cells.end();  // or the job's end does
  co_return 0;
}

const test::joined_program entry("lent_memory", run_spmd, program);

}  // namespace programs::lent_memory
