// PageRank on Tsubu: the ranks of the pages of a web, by power iteration.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "apps/pagerank/ranks.hpp"
#include "apps/pagerank/web.hpp"
#include "apps/pagerank/weight_exchange.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/protocol_option.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  pagerank::web web;
  pagerank::rules rules;
  std::string exchange = "shared";
  protocol type = protocol::update;
  bool check = false;
  bool json = false;
};

// Ranks are sums of positive numbers, so rounding changes each by little of its own size.
constexpr double most_difference = 1e-10;

// The largest difference of a rank from that of the sequential program, relative to it. Collective.
task<double> compare(const options* asked, const pagerank::ranking* found, graph::cyclic share) {
  const std::vector<std::vector<double>> parts = co_await gather(found->rank);
  double largest = 0;
  if (this_pe() == 0) {
    // As many steps: rounding may decide whether a change is within the tolerance.
    const pagerank::rules by{.damping = asked->rules.damping, .steps = found->steps, .tolerance = 0};
    const pagerank::ranking alone = pagerank::rank_alone(asked->web.whole(), by);
    for (graph::vertex v = 0; v < alone.rank.size(); ++v) {
      const double rank = parts[static_cast<std::size_t>(share.owner(v))][share.local(v)];
      const double difference = std::abs(rank / alone.rank[v] - 1);
      if (!(difference <= largest)) largest = difference;  // also if it is no number
    }
  }
  co_return co_await broadcast(largest);
}

// Runs on every PE.
task<int> rank_web(options asked) {
  program::progress shown("pagerank");
  shown.begin("making the graph");
  const graph::loaded given = co_await asked.web.load(&shown);
  if (!given.trouble.empty()) co_return program::complain("pagerank", given.trouble);
  pagerank::links links = co_await pagerank::make_links(&given.rows, &shown);
  std::unique_ptr<pagerank::weight_exchange> exchange;
  if (asked.exchange == "shared") {
    exchange = co_await pagerank::make_shared_exchange(&links, asked.type);
  } else {
    exchange = co_await pagerank::make_message_exchange(&links);
  }

  // Memory and copies are there after a step that is not timed.
  pagerank::rules one_step = asked.rules;
  one_step.steps = 1;
  co_await pagerank::rank_pages(&links, exchange.get(), one_step, &shown);
  co_await barrier();
  program::stopwatch watch;
  const pagerank::ranking found = co_await pagerank::rank_pages(&links, exchange.get(), asked.rules, &shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const double here = std::accumulate(found.rank.begin(), found.rank.end(), 0.0);
  const double sum = co_await all_reduce(here, reduce::plus);
  const double highest_here = found.rank.empty() ? 0 : *std::max_element(found.rank.begin(), found.rank.end());
  const double highest = co_await all_reduce(highest_here, reduce::max);
  const auto count = co_await all_reduce(static_cast<std::int64_t>(given.rows.nonzeros()), reduce::plus);

  program::result result;
  result.program = "pagerank";
  result.input_key = "graph";
  result.input = asked.web.name();
  result.exchange = asked.exchange;
  if (asked.exchange == "shared") result.exchange += fmt::format(", {}", name_of(asked.type));
  result.verified = std::abs(sum - 1) <= most_difference;
  result.seconds = seconds;
  result.mops = static_cast<double>(count) * static_cast<double>(found.steps) / seconds * 1e-6;
  result.counts = {{"vertices", links.pages}, {"links", count}, {"steps", found.steps}};
  result.about = fmt::format("PageRank of {}; Mop/s are millions of links a second", asked.web.name());
  result.figures = {{"sum_error", std::abs(sum - 1)}, {"change", found.change}, {"highest_rank", highest}};
  if (asked.check) {
    const double difference = co_await compare(&asked, &found, links.share);
    result.verified = *result.verified && difference <= most_difference;
    result.figures.emplace_back("difference", difference);
  }
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> read_and_rank(arguments words) {
  options asked;
  program::command_line app("The ranks of the vertices of a directed graph, by power iteration", "pagerank");
  asked.web.add_options(app);
  app.add_option("--iterations", asked.rules.steps, "steps, at most; default 20")
      .range(std::int64_t{1}, std::int64_t{1'000'000'000})
      .type_name("N");
  app.add_option("--tolerance", asked.rules.tolerance, "stop when all ranks together change by no more; default: never")
      .not_negative()
      .type_name("T");
  app.add_option("--damping", asked.rules.damping, "probability to follow a link; default 0.85")
      .range(0.0, 0.999)
      .type_name("D");
  app.add_option("--exchange", asked.exchange,
                 "what vertices give to their neighbours is shared (the default), or sent (messages)")
      .one_of({"shared", "messages"})
      .type_name("HOW");
  std::string type = "update";
  const program::option given = program::add_protocol_option(app, type, "the shared data");
  app.add_flag("--check", asked.check, "compare with a sequential program on PE 0");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  if (const std::string trouble = asked.web.trouble(); !trouble.empty()) {
    co_return program::complain("pagerank", trouble);
  }
  if (asked.exchange != "shared" && given.given()) {
    co_return program::complain("pagerank", "--type: only with --exchange shared, got messages");
  }
  asked.type = *protocol_named(type);
  co_return co_await rank_web(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_rank); }
