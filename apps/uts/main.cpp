// Counts the nodes of an unbalanced tree: each is an item of work, which any PE may run.
#include <fmt/core.h>
#include <string>

#include "apps/program/command_line.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "apps/uts/tree.hpp"
#include "tsubu/remote/printing/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using uts::node;
using uts::shape;
using uts::tally;

struct progress_of_nodes : progress {
  progress_of_nodes() : progress("uts: nodes") {}
};
const pe_local<progress_of_nodes> shown;

struct options {
  std::string tree = "T1";
  std::int64_t depth = 0;  // none: the sample's own
  bool json = false;
};

task<tally> count(shape of) {
  shown->add();  // the root; and so PE 0 has one, too
  const auto visit = [of](node at, work_items<node>& more) {
    const int children = uts::child_count(of, at);
    for (int i = 0; i < children; ++i) more.add(uts::child(at, i));
    if (children > 0) shown->add(children);
    return tally{1, children == 0 ? 1 : 0, at.height};
  };
  const auto together = [](const tally& a, const tally& b) { return uts::sum(a, b); };
  co_return co_await parallel_items(uts::root(of), together, visit);
}

task<int> search(options asked) {
  const uts::sample& sample = *uts::find_sample(asked.tree);
  shape tree = sample.tree;
  if (asked.depth > 0) tree.depth = static_cast<std::int32_t>(asked.depth);
  program::stopwatch watch;
  const tally found = co_await count(tree);
  const double seconds = watch.seconds();

  program::result result;
  result.program = "uts";
  result.input_key = "tree";
  result.input = asked.tree;
  // Nobody has published what a tree of another depth has: it is searched again, by this PE alone.
  result.verified = found == (tree.depth == sample.tree.depth ? sample.known : uts::search(tree));
  result.seconds = seconds;
  result.mops = static_cast<double>(found.nodes) / seconds * 1e-6;
  result.counts = {{"nodes", found.nodes}, {"leaves", found.leaves}, {"height", found.height}};
  result.about = fmt::format("the unbalanced tree {}, an item of work for each node", asked.tree);
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Counts the nodes of one of UTS's unbalanced trees, whose subtrees nobody can foresee",
                            "uts");
  app.add_option("--tree", asked.tree, fmt::format("{}; default T1", uts::names_of_samples()))
      .check([](const std::string& name) {
        return uts::find_sample(name) != nullptr ? "" : "there are " + uts::names_of_samples();
      })
      .type_name("NAME");
  app.add_option("--depth", asked.depth,
                 "of a tree that is not binomial; default: the sample's own, of some 4 million nodes")
      .range(1, 64)
      .type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await search(asked);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, read_and_run); }
