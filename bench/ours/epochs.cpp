// What a message costs in an epoch: in one that spreads as a tree, in many short ones within another, and where two
// epochs take turns with each message.
#include <array>
#include <cstdint>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

pe_local<std::uint64_t> executed;

void count() { ++*executed; }

// Each sends two more, until the tree is `height` high.
void branch(int height, std::uint32_t seed) {
  ++*executed;
  if (height == 0) return;
  for (const std::uint32_t next : {seed * 2654435761U + 1, seed * 2246822519U + 3})
    at(static_cast<pe_id>((next >> 7) % static_cast<std::uint32_t>(pe_count()))).past<branch>(height - 1, next);
}

task<void> open_inner(pe_id to, int messages) {
  co_await epoch([=] {
    for (int i = 0; i < messages; ++i) at(to).past<count>();
  });
}

// Sends when it is its turn; `turns` are taken by two of them, in two epochs.
task<void> send_in_turns(tsubu::sync<bool>* mine, tsubu::sync<bool>* others, std::int64_t turns, pe_id to) {
  for (std::int64_t i = 0; i < turns; ++i) {
    co_await mine->read();
    at(to).past<count>();
    others->write(true);
  }
}

std::uint64_t executed_here() { return *executed; }

task<int> program(arguments args) {
  std::int64_t height = 17, nested = 20'000, turns = 200'000, repetitions = 5;
  if (const auto code = bench::read_options(args, "messages of epochs",
                                            {{"--height", &height, "of the tree of messages"},
                                             {"--nested", &nested, "epochs within one, of ten messages each"},
                                             {"--turns", &turns, "messages of each of two epochs that take turns"},
                                             {"--repetitions", &repetitions, "of which the median counts"}}))
    co_return *code;
  const pe_id other = pe_count() - 1;
  const auto ns_each = [](const bench::stopwatch& since, std::int64_t messages) {
    return since.seconds() * 1e9 / static_cast<double>(messages);
  };
  std::vector<double> tree_ns, nested_ns, alternating_ns;
  std::uint64_t expected = 0;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const std::int64_t in_tree = (std::int64_t{2} << height) - 1;
    const bench::stopwatch of_tree;
    co_await epoch([height, r] { at(0).past<branch>(static_cast<int>(height), static_cast<std::uint32_t>(r)); });
    const double tree = ns_each(of_tree, in_tree);

    const bench::stopwatch of_nested;
    co_await epoch([nested, other]() -> task<void> {
      for (std::int64_t i = 0; i < nested; ++i) co_await open_inner(other, 10);
    });
    const double inner = ns_each(of_nested, 10 * nested);

    std::array<tsubu::sync<bool>, 2> whose;
    const bench::stopwatch of_turns;
    scope both;
    for (std::size_t i = 0; i < 2; ++i) {
      both.spawn([](std::array<tsubu::sync<bool>, 2>* w, std::size_t which, std::int64_t n, pe_id to) -> task<void> {
        co_await epoch([w, which, n, to] { return send_in_turns(&(*w)[which], &(*w)[1 - which], n, to); });
      }(&whose, i, turns, other));
    }
    whose[0].write(true);
    co_await both.join();
    const double in_turns = ns_each(of_turns, 2 * turns);

    expected += static_cast<std::uint64_t>(in_tree + 10 * nested + 2 * turns);
    if (r == 0) continue;
    tree_ns.push_back(tree);
    nested_ns.push_back(inner);
    alternating_ns.push_back(in_turns);
  }
  const bool verified = co_await everywhere().now<executed_here>(reduce::plus) == expected;
  bench::result_line line("epochs");
  line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
  line.add("tree_ns", bench::summarize(tree_ns).median).add("nested_ns", bench::summarize(nested_ns).median);
  line.add("alternating_ns", bench::summarize(alternating_ns).median).add("repetitions", repetitions);
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
