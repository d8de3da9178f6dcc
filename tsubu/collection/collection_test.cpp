// Promise: nothing that can be reached is ended, no message that went by a strong_ref is lost, and the first collection
// after a quiescence leaves nothing that cannot be reached. Method: random programs that make objects in cycles over
// all PEs, pass their names on, drop, move, wait, poke them by weak names and end them, while collections run; they
// keep the true graph themselves, and whatever ends is looked for in it. As in object_test.cpp.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/object_job.hpp"
#include "tsubu/collection/collect.hpp"
#include "tsubu/collection/held_names.hpp"
#include "tsubu/collection/settings.hpp"
#include "tsubu/collection/why_alive.hpp"

namespace tsubu::collection_test {
namespace {

using namespace test;

struct node;

// A name, and the number of its object in the true graph.
struct held {
  strong_ref<node> name;
  int number = 0;  // 0: of none
  template <class A>
  void serialize(A& a) {
    a(name, number);
  }
};

// ---- the true graph, which is everybody's

struct graph {
  std::map<int, std::multiset<int>> links;  // of those that live
  std::map<int, int> under_way;             // strong_refs in messages, and messages by strong_refs
  std::map<int, int> running;               // methods
  std::set<const std::vector<held>*> frames;
  std::set<int> ended_by_program;
  std::vector<std::pair<ref<node>, int>> weak;  // all that were ever made
  int made = 0;
  int collections = 0;  // beside the program
  std::uint64_t ended_beside = 0;
  int looks = 0;
  bool program_runs = true;
  int tasks = 0;
  // The program ends some itself. Messages to them are lost, and what these carry: so it is not known what is under
  // way.
  bool ends_some = false;
  bool moves_some = true;
  bool collects = true;  // while its tasks run

  // Who has it directly.
  std::string why(int number) const {
    std::string all;
    const auto add = [&](const char* by, int n) { all += std::string(", ") + by + ' ' + std::to_string(n); };
    const auto count = [number](const std::map<int, int>& in) { return in.count(number) != 0 ? in.at(number) : 0; };
    if (count(under_way) != 0) add("messages:", count(under_way));
    if (count(running) != 0) add("methods:", count(running));
    for (const std::vector<held>* f : frames) {
      for (const held& h : *f) {
        if (h.number == number) add("frames:", 1);
      }
    }
    for (const auto& [n, to] : links) {
      if (to.count(number) != 0) add("node", n);
    }
    return all;
  }
  std::set<int> reachable() const {
    std::vector<int> next;
    for (const auto& [n, count] : under_way) {
      if (count > 0 && !ends_some) next.push_back(n);
    }
    for (const auto& [n, count] : running) {
      if (count > 0) next.push_back(n);
    }
    for (const std::vector<held>* frame : frames) {
      for (const held& h : *frame) next.push_back(h.number);
    }
    std::set<int> found;
    while (!next.empty()) {
      const int n = next.back();
      next.pop_back();
      const auto at = links.find(n);
      if (at == links.end() || !found.insert(n).second) continue;
      next.insert(next.end(), at->second.begin(), at->second.end());
    }
    return found;
  }
};
graph* truth = nullptr;

class frame {
 public:
  frame() { truth->frames.insert(&mine); }
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;
  ~frame() { truth->frames.erase(&mine); }
  std::vector<held> mine;
  held any(std::mt19937_64& random) const { return mine.empty() ? held() : mine[random() % mine.size()]; }
};
const pe_local<frame> stash;

pe_id any_pe(std::mt19937_64& random) { return static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count())); }
// It is on its way now.
const held& sent(const held& h) {
  if (h.number != 0) ++truth->under_way[h.number];
  return h;
}
void has_come(int number) {
  if (number != 0) --truth->under_way[number];
}

void receive(held h, std::uint64_t seed);
void nothing() {}

struct node : collected_object<node> {
  node() = default;
  node(int n, held first) : number(n) {
    truth->links[number];
    has_come(first.number);
    if (first.number != 0) add(std::move(first));
  }
  ~node() {
    if (number == 0 || has_left || !truth->program_runs) return;
    if (truth->ended_by_program.count(number) == 0) {
      EXPECT_EQ(truth->reachable().count(number), 0U)
          << "node " << number << " has ended, and can be reached" << truth->why(number);
    }
    truth->links.erase(number);
  }

  int get() {
    const running_here runs(*this, false);
    return number;
  }
  void link(held h) {
    const running_here runs(*this);
    has_come(h.number);
    if (h.number != 0) add(std::move(h));
  }
  void cut(std::uint64_t which) {
    const running_here runs(*this);
    if (!links.empty()) (void)remove(which % links.size());
  }
  held take(std::uint64_t which) {
    const running_here runs(*this);
    if (links.empty()) return {};
    return sent(which % 2 == 0 ? links[which % links.size()] : remove(which % links.size()));
  }
  task<void> sit(held h, int turns) {
    const running_here runs(*this);
    frame waiting;
    has_come(h.number);
    waiting.mine.push_back(std::move(h));
    for (int i = 0; i < turns; ++i) co_await at((this_pe() + 1) % pe_count()).now<nothing>();
    if (turns % 2 == 0 && waiting.mine.front().number != 0) {
      add(std::move(waiting.mine.front()));
      waiting.mine.clear();
    }
  }
  void relay(int further, std::uint64_t seed) {
    const running_here runs(*this);
    relay_on(further, seed);
  }
  // By a weak name: it may be that nobody else knows it any more.
  void poke(std::uint64_t seed) {
    const running_here runs(*this, false);
    if (links.empty()) return;
    const std::size_t which = seed / 8 % links.size();
    switch (seed % 8) {
      case 0:
        stash->mine.push_back(remove(which));
        break;
      case 1:
        stash->mine.push_back(links[which]);
        break;
      case 2: {
        const pe_id pe = static_cast<pe_id>(seed / 8 % static_cast<std::uint64_t>(pe_count()));
        at(pe).past<receive>(sent(links[which]), seed / 64);
        break;
      }
      case 3:
        stash->mine.push_back({strong_self(), number});
        break;
      default:
        relay_on(3, seed);
    }
  }

  // The same after a wait, during which the collector may look.
  task<void> poke_later(std::uint64_t seed) {
    const running_here runs(*this, false);
    for (std::uint64_t i = seed / 8 % 16; i > 0; --i) co_await at((this_pe() + 1) % pe_count()).now<nothing>();
    poke(seed);
  }
  // The same, also while another method waits.
  void poke_at_once(std::uint64_t seed) { poke(seed); }

  template <class A>
  void serialize(A& a) {
    if constexpr (std::is_same_v<A, wire::writer>) has_left = true;  // nobody else writes it
    a(number, links);
    if constexpr (std::is_same_v<A, objects::edges>) a(links);  // twice is not more than once
  }

 private:
  struct running_here {
    explicit running_here(node& n, bool by_strong = true) : number(n.number) {
      ++truth->running[number];
      if (by_strong) has_come(number);
    }
    running_here(const running_here&) = delete;
    running_here& operator=(const running_here&) = delete;
    ~running_here() { --truth->running[number]; }
    int number;
  };
  void add(held h) {
    truth->links[number].insert(h.number);
    links.push_back(std::move(h));
  }
  held remove(std::size_t which) {
    held h = std::move(links[which]);
    links.erase(links.begin() + static_cast<std::ptrdiff_t>(which));
    std::multiset<int>& mine = truth->links[number];
    mine.erase(mine.find(h.number));
    return h;
  }
  void relay_on(int further, std::uint64_t seed) {
    if (links.empty() || further == 0) return;
    const held& next = links[seed % links.size()];
    sent(next);
    next.name->past<&node::relay>(further - 1, seed / 2);
  }

  int number = 0;
  bool has_left = false;
  std::vector<held> links;
};

}  // namespace
}  // namespace tsubu::collection_test

template <>
inline constexpr bool tsubu::reentrant<&tsubu::collection_test::node::poke_at_once> = true;

namespace tsubu::collection_test {
namespace {

// ---- the programs

task<void> keep_a_while(held h, std::uint64_t seed) {
  frame here;
  here.mine.push_back(std::move(h));
  std::mt19937_64 random(seed);
  for (std::uint64_t i = random() % 4; i > 0; --i) co_await at(any_pe(random)).now<nothing>();
  if (random() % 4 == 0) stash->mine.push_back(here.any(random));
  if (random() % 2 == 0) here.mine.front().name->past<&node::relay>(2, sent(here.mine.front()).number);
}

void receive(held h, std::uint64_t seed) {
  has_come(h.number);
  if (h.number != 0) spawn(keep_a_while(std::move(h), seed));
}

held make(pe_id on, const held& first) {
  const int number = ++truth->made;
  held h{create<node>(at(on), number, sent(first)), number};
  truth->weak.emplace_back(h.name.weak(), number);
  return h;
}

void make_ring(std::mt19937_64& random, std::vector<held>& into) {
  const held first = make(any_pe(random), {});
  held last = first;
  for (std::uint64_t i = random() % 4; i > 0; --i) last = make(any_pe(random), last);
  sent(first);
  first.name->past<&node::link>(sent(last));
  into.push_back(first);
}

// A message follows an object that moves, and nobody else knows it any more.
void send_after_traveller(std::mt19937_64& random) {
  const held h = make(any_pe(random), {});
  for (std::uint64_t i = random() % 4; i > 0; --i) (void)h.name->future<&node::tsubu_move>(any_pe(random));
  at(any_pe(random)).past<receive>(sent(h), random());
  if (random() % 2 == 0) (void)h.name->future<&node::tsubu_move>(any_pe(random));
}

// An object that only its PE ever knew, and that has messages yet when nobody does any more.
void forget_at_work(int turns) {
  const held h = make(this_pe(), {});
  for (int i = 0; i < 2; ++i) {
    sent(h);
    h.name->past<&node::sit>(held(), turns);
  }
}

task<void> mutate(std::uint64_t seed, int steps) {
  std::mt19937_64 random(seed);
  frame here;
  std::vector<held>& mine = here.mine;
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t next = random();
    const held a = here.any(random), b = here.any(random);
    // A collection takes some twenty messages one after the other, and shall meet the program in all its states.
    for (std::uint64_t i = random() % 3; i > 0; --i) co_await at(any_pe(random)).now<nothing>();
    switch (random() % 16) {
      case 0:
      case 1:
        mine.push_back(make(any_pe(random), b));
        break;
      case 2:
        make_ring(random, mine);
        break;
      case 3:
      case 4:
        if (sent(a).number != 0) a.name->past<&node::link>(sent(b));
        break;
      case 5:
        if (sent(a).number != 0) a.name->past<&node::cut>(next);
        break;
      case 6:
        if (sent(a).number != 0) {
          held got;
          try {
            got = co_await a.name->now<&node::take>(next);
          } catch (const object_gone&) {
            EXPECT_EQ(truth->ended_by_program.count(a.number), 1U) << "node " << a.number << " has a strong_ref";
          }
          const int number = got.number;
          if (number != 0) mine.push_back(std::move(got));
          has_come(number);
        }
        break;
      case 7:
      case 8:
        if (!mine.empty()) mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(next % mine.size()));
        break;
      case 9:
        at(any_pe(random)).past<receive>(sent(a), next);
        break;
      case 10:
        if (!truth->moves_some) break;
        if (a.number != 0) (void)a.name->future<&node::tsubu_move>(any_pe(random));
        if (next % 2 == 0) send_after_traveller(random);
        break;
      case 11:
        if (sent(a).number != 0) a.name->past<&node::sit>(sent(b), static_cast<int>(next % 4));
        if (next / 4 % 2 == 0) forget_at_work(static_cast<int>(next / 8 % 32));
        break;
      case 12:
        if (sent(a).number != 0) a.name->past<&node::relay>(4, next);
        break;
      case 13: {
        if (truth->weak.empty()) break;
        const auto [name, number] = truth->weak[next % truth->weak.size()];
        if (next % 4 == 0) (void)name.future<&node::poke>(random());
        if (next % 4 == 1) (void)name.future<&node::poke_at_once>(random());
        if (next % 4 == 2) (void)name.future<&node::poke_later>(random());
        if (next % 4 != 3) break;
        strong_ref<node> got = co_await strong(name);
        if (got) mine.push_back({std::move(got), number});
        break;
      }
      case 14:
        if (!stash->mine.empty()) stash->mine.erase(stash->mine.begin());
        break;
      default:
        if (a.number != 0 && truth->ends_some && next % 8 == 0) {
          truth->ended_by_program.insert(a.number);
          a.name->end();
        }
    }
  }
  --truth->tasks;
}

void drop_stash() { stash->mine.clear(); }

task<void> expect_what_is_reachable_and_no_more() {
  co_await quiescence();
  co_await collect();
  co_await quiescence();  // what their destructors may have sent
  const std::set<int> there = truth->reachable();
  for (const auto& [number, links] : truth->links) {
    EXPECT_EQ(there.count(number), 1U) << "node " << number << " cannot be reached, and was not collected";
  }
  for (const auto& [number, messages] : truth->under_way) {
    EXPECT_TRUE(messages == 0 || truth->ends_some) << messages << " messages to node " << number << " are lost";
  }
  for (const auto& [name, number] : truth->weak) {
    const bool lives = truth->links.count(number) != 0;
    EXPECT_EQ(co_await is_gone(name), !lives) << "node " << number;
  }
}

task<void> program(std::uint64_t seed, int steps) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    for (std::uint64_t i = 0; i < 1 + seed % 2; ++i) {
      ++truth->tasks;
      at(pe).past<mutate>(seed * 8 + static_cast<std::uint64_t>(pe) + ~i, steps);
    }
  }
  std::mt19937_64 random(seed);
  while (truth->collects && truth->tasks > 0) {
    if (!truth->weak.empty() && random() % 4 == 0) {
      const std::vector<holder> path = co_await why_alive(truth->weak[random() % truth->weak.size()].first);
      EXPECT_NE(path.size(), 1U) << "an object that is its own root: " << path.front().what;
    }
    const collected done = co_await collect();
    if (truth->tasks == 0) break;
    ++truth->collections;
    truth->ended_beside += done.ended;
    truth->looks += done.looks;
  }
  co_await expect_what_is_reachable_and_no_more();
  for (pe_id pe = 0; pe < pe_count(); ++pe) co_await at(pe).now<drop_stash>();
  truth->ended_by_program.clear();
  co_await expect_what_is_reachable_and_no_more();
  EXPECT_EQ(truth->links.size(), 0U);
}

TEST(collection, ends_what_cannot_be_reached_and_nothing_else) {
  const std::uint64_t first = first_seed();
  int collections = 0, looks = 0, made = 0;
  std::uint64_t ended_beside = 0;
  for (std::uint64_t seed = first; seed < first + seeds(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    graph here;
    here.ends_some = seed % 5 == 4;
    // What only its PE has known ends without a collection, while none runs and no object has moved.
    here.moves_some = seed / 8 % 4 != 3;
    here.collects = seed % 12 != 5;
    truth = &here;
    {
      interleaved_job job(static_cast<pe_id>(1 + seed % 4), seed);
      // In a quarter of them PEs ask for collections whenever they have nothing else to do; in half of them the program
      // goes on after each object that a collection looks at.
      for (pe_id pe = 0; pe < job.wires().size(); ++pe) {
        job[pe];
        collection::collection_settings how;
        if (seed % 3 == 2) how.when = here.collects ? collection::pace::timed : collection::pace::when_idle;
        if (seed / 4 % 2 == 1) how.slice_ns = 0;
        collection::configure(how);
      }
      play(job, seed % 2 == 0, program(seed, 10 + static_cast<int>(seed % 30)));
      here.program_runs = false;
      for (pe_id pe = 0; pe < job.wires().size(); ++pe) {
        job[pe];
        EXPECT_EQ(collection::names_held->size(), 0U) << "stubs on PE " << pe;
      }
    }
    collections += here.collections;
    looks += here.looks;
    ended_beside += here.ended_beside;
    made += here.made;
    truth = nullptr;
    if (HasFailure()) {
      std::printf("fails with seed %llu\n", static_cast<unsigned long long>(seed));
      return;
    }
  }
  std::printf("%d objects; beside their programs %d collections with %d looks ended %llu of them\n", made, collections,
              looks, static_cast<unsigned long long>(ended_beside));
}

}  // namespace
}  // namespace tsubu::collection_test
