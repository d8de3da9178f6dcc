// What messages to concurrent objects cost, and what it costs to create them, in ticks.
//
// On one PE: past_local, messages of a loop to 64 dormant objects; past_local_one, to a single one; ring, a message
// that 1,000 objects pass on in a ring; create_now, an object that is created, asked, answers and ends. On several:
// past_remote, messages of each PE to 64 objects on the next; create_remote, objects that each PE creates on the next,
// which are ended after the clock; create_end_remote, objects that end themselves when they are made. These are ticks
// of a message or a creation and a PE, for both of its sides. end_tree and end_arena: a binary tree over all PEs ends,
// node by node, each asked by its parent, or all together, with their arena; ticks of an object.
#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

constexpr std::int64_t crowd = 64;
constexpr std::size_t ring_size = 1000;
constexpr std::int64_t burst = 1024;  // sends before a sender waits for room

struct adder : object<adder> {
  std::int64_t n = 0;
  void add(std::uint32_t k) { n += k; }
  std::int64_t sum() { return n; }
};

struct link : object<link> {
  ref<link> next;
  std::int64_t passed = 0;
  void set_next(ref<link> to) { next = to; }
  void pass(std::int64_t left) {
    ++passed;
    if (left > 1) next.past<&link::pass>(left - 1);
  }
  std::int64_t passed_on() { return passed; }
};

struct one_shot : object<one_shot> {
  std::int64_t start;
  explicit one_shot(std::int64_t k) : start(k) {}
  std::int64_t answer(std::int64_t k) {
    retire();
    return start + k;
  }
};

pe_local<std::uint64_t> made_here;  // the sum of what constructors got

struct grain : object<grain> {
  std::uint64_t state;
  explicit grain(std::uint32_t k) : state(k) { *made_here += k; }
};

struct mayfly : object<mayfly> {
  explicit mayfly(std::uint32_t k) {
    *made_here += k;
    retire();
  }
};

constexpr std::int64_t sum_below(std::int64_t n) { return n * (n - 1) / 2; }

struct figure {
  std::vector<double> ticks;  // of one step, in each repetition
  bool verified = true;
};

// ---- one PE

task<std::vector<ref<adder>>> make_adders(std::int64_t count, pe_id where) {
  std::vector<ref<adder>> adders(static_cast<std::size_t>(count));
  for (ref<adder>& a : adders) a = create<adder>(at(where));
  for (const ref<adder>& a : adders) co_await a.now<&adder::sum>();
  co_return adders;
}

task<std::int64_t> sum_and_end(std::vector<ref<adder>> adders) {
  std::int64_t sum = 0;
  for (const ref<adder>& a : adders) {
    sum += co_await a.now<&adder::sum>();
    a.end();
  }
  co_return sum;
}

void add_some(const std::vector<ref<adder>>& to, std::int64_t first, std::int64_t count) {
  const std::size_t mask = to.size() - 1;
  for (std::int64_t i = first; i < first + count; ++i)
    to[static_cast<std::size_t>(i) & mask].past<&adder::add>(static_cast<std::uint32_t>(i));
}

// `objects` is a power of two.
task<figure> measure_past(std::int64_t objects, pe_id where, std::int64_t steps, std::int64_t repetitions) {
  figure found;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const std::vector<ref<adder>> adders = co_await make_adders(objects, where);
    co_await barrier();
    const bench::stopwatch watch;
    for (std::int64_t sent = 0; sent < steps; sent += burst) {
      add_some(adders, sent, std::min(burst, steps - sent));
      co_await room_everywhere();
    }
    if (pe_count() > 1) co_await quiescence();
    if (r > 0) found.ticks.push_back(watch.ticks_taken() / static_cast<double>(steps));
    task<std::int64_t> summing = sum_and_end(adders);
    const std::int64_t sum = co_await std::move(summing);
    found.verified = found.verified && sum == sum_below(steps);
  }
  co_return found;
}

task<figure> measure_ring(std::int64_t steps, std::int64_t repetitions) {
  figure found;
  std::vector<ref<link>> links(ring_size);
  for (ref<link>& l : links) l = create<link>(here());
  for (std::size_t i = 0; i < links.size(); ++i) links[i].past<&link::set_next>(links[(i + 1) % links.size()]);
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const bench::stopwatch watch;
    links[0].past<&link::pass>(steps);
    co_await quiescence();
    if (r > 0) found.ticks.push_back(watch.ticks_taken() / static_cast<double>(steps));
  }
  std::int64_t passed = 0;
  for (const ref<link>& l : links) {
    passed += co_await l.now<&link::passed_on>();
    l.end();
  }
  found.verified = passed == steps * (repetitions + 1);
  co_return found;
}

task<figure> measure_create_now(std::int64_t steps, std::int64_t repetitions) {
  figure found;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    std::int64_t sum = 0;
    const bench::stopwatch watch;
    for (std::int64_t i = 0; i < steps; ++i) {
      const ref<one_shot> o = create<one_shot>(here(), r);
      sum += co_await o.now<&one_shot::answer>(i);
    }
    if (r > 0) found.ticks.push_back(watch.ticks_taken() / static_cast<double>(steps));
    found.verified = found.verified && sum == sum_below(steps) + r * steps;
  }
  co_return found;
}

// ---- several PEs

void create_some(std::vector<ref<grain>>& made, pe_id where, std::int64_t first, std::int64_t count) {
  for (std::int64_t i = first; i < first + count; ++i)
    made[static_cast<std::size_t>(i)] = create<grain>(at(where), static_cast<std::uint32_t>(i));
}

void create_mayflies(std::vector<ref<grain>>&, pe_id where, std::int64_t first, std::int64_t count) {
  for (std::int64_t i = first; i < first + count; ++i) create<mayfly>(at(where), static_cast<std::uint32_t>(i));
}

using creator = void (*)(std::vector<ref<grain>>&, pe_id, std::int64_t, std::int64_t);

task<figure> measure_create(creator some, pe_id where, std::int64_t steps, std::int64_t repetitions) {
  figure found;
  std::vector<ref<grain>> made(static_cast<std::size_t>(steps));
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    *made_here = 0;
    co_await barrier();
    const bench::stopwatch watch;
    for (std::int64_t done = 0; done < steps; done += burst) {
      some(made, where, done, std::min(burst, steps - done));
      co_await room_everywhere();
    }
    co_await quiescence();
    if (r > 0) found.ticks.push_back(watch.ticks_taken() / static_cast<double>(steps));
    found.verified = found.verified && *made_here == static_cast<std::uint64_t>(sum_below(steps));
    for (ref<grain>& g : made) {
      if (g) co_await g.end();
      g = ref<grain>();
    }
    co_await quiescence();
  }
  co_return found;
}

struct node : object<node> {
  ref<node> left, right;
  explicit node(std::int64_t depth) {
    if (depth == 0) return;
    left = create<node>(here(), depth - 1);
    right = create<node>(at((this_pe() + 1) % pe_count()), depth - 1);
  }
  void end_tree() {
    if (left) {
      left.past<&node::end_tree>();
      right.past<&node::end_tree>();
    }
    retire();
  }
};

// PE 0 makes the trees; the others help.
task<figure> measure_end_of_tree(bool by_arena, std::int64_t depth, std::int64_t repetitions) {
  figure found;
  for (std::int64_t r = 0; this_pe() == 0 && r <= repetitions; ++r) {
    std::optional<bench::stopwatch> watch;
    const auto make_and_end = [&]() -> task<void> {
      ref<node> root;
      const auto make = [&root, depth] { root = create<node>(here(), depth); };
      co_await epoch(make);
      watch.emplace();
      const auto end = [root] { root.past<&node::end_tree>(); };
      if (!by_arena) co_await epoch(end);
    };
    if (by_arena) {
      co_await arena(make_and_end);
    } else {
      co_await make_and_end();
    }
    if (r > 0) found.ticks.push_back(watch->ticks_taken() / static_cast<double>((std::int64_t{2} << depth) - 1));
  }
  co_await barrier();
  if (this_pe() != 0) found.ticks.push_back(0);
  co_return found;
}

// ---- the line

struct report {
  bench::result_line line{"objects"};
  bool verified = true;

  void add(const char* name, const figure& f) {
    verified = verified && f.verified;
    if (!f.verified) return;
    const bench::summary times = bench::summarize(f.ticks);
    line.add(name, times.median).add(std::string(name) + "_spread", times.spread());
  }
};

task<int> program(arguments args) {
  std::int64_t steps = 4'000'000, creations = 1'000'000, repetitions = 5;
  if (const auto code =
          bench::read_options(args, "messages to concurrent objects, and their creation",
                              {{"--messages", &steps, "of a measurement and PE"},
                               {"--creations", &creations, "of a measurement and PE"},
                               {"--repetitions", &repetitions, "after one untimed; their medians are reported"}}))
    co_return *code;
  require(std::max(steps, creations) <= std::int64_t{1} << 32, "at most 2^32 messages or creations");
  require(steps > 0 && creations > 0 && repetitions > 0, "--messages, --creations and --repetitions are 1 at least");
  report r;
  r.line.add("transport", transport_name()).add("pes", pe_count()).add("messages", steps).add("creations", creations);
  if (pe_count() == 1) {
    r.add("past_local", co_await measure_past(crowd, 0, steps, repetitions));
    r.add("past_local_one", co_await measure_past(1, 0, steps, repetitions));
    r.add("ring", co_await measure_ring(steps, repetitions));
    r.add("create_now", co_await measure_create_now(creations, repetitions));
  } else {
    const pe_id next = (this_pe() + 1) % pe_count();
    r.add("past_remote", co_await measure_past(crowd, next, steps, repetitions));
    r.add("create_remote", co_await measure_create(&create_some, next, creations, repetitions));
    r.add("create_end_remote", co_await measure_create(&create_mayflies, next, creations, repetitions));
    const std::int64_t depth = std::bit_width(static_cast<std::uint64_t>(creations)) - 2;
    r.add("end_tree", co_await measure_end_of_tree(false, depth, repetitions));
    r.add("end_arena", co_await measure_end_of_tree(true, depth, repetitions));
  }
  const bool verified = co_await all_reduce(r.verified, reduce::all);
  if (this_pe() == 0) {
    r.line.add("verified", verified).add("repetitions", repetitions);
    r.line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
