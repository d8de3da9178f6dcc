// What PEs in a ring tell each other of their edges in each step of a stencil: by writes with a notification, by
// messages, and by writes and a barrier. The figures are microseconds of a step, in which a PE sends an edge to either
// neighbour and has theirs; of rows, which lie in one piece, and of columns.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

// From the PE before this one in the ring, and from the next.
struct arrivals {
  tsubu::sync<int> steps;                 // of a notified edge
  tsubu::sync<std::vector<double>> edge;  // that is sent as a message
};
pe_local<std::array<arrivals, 2>> arrivals_here;

void edge_came(int from, int step) { (*arrivals_here)[static_cast<std::size_t>(from)].steps.write(step); }
void take_edge(int from, std::vector<double> edge) {
  (*arrivals_here)[static_cast<std::size_t>(from)].edge.write(std::move(edge));
}

// A grid of n x n cells and a cell more on each side, twice: one neighbour may be a step ahead. An edge is row 1 or n,
// or column 1 or n, and comes in beside the opposite one.
struct block {
  std::size_t n;
  bool is_row;
  std::array<std::vector<double>, 2> grids{std::vector<double>((n + 2) * (n + 2)), std::vector<double>(grids[0])};

  std::size_t first(std::size_t line) const { return is_row ? line * (n + 2) + 1 : n + 2 + line; }
  std::size_t stride() const { return is_row ? 1 : n + 2; }
  std::vector<double>& grid(int step) { return grids[static_cast<std::size_t>(step) % 2]; }
  strided_span<double> line(int step, std::size_t k) { return {&grid(step)[first(k)], n, 1, stride()}; }
  double& cell(int step, std::size_t k, std::size_t i) { return grid(step)[first(k) + i * stride()]; }

  // What PE `pe` has in its edges.
  static double value(pe_id pe, int step, std::size_t i) { return 1000.0 * step + 100.0 * pe + static_cast<double>(i); }
  void set_edges(int step) {
    for (std::size_t i = 0; i < n; ++i) cell(step, 1, i) = cell(step, n, i) = value(this_pe(), step, i);
  }
  bool has(int step, pe_id before, pe_id next) {
    bool right = true;
    for (std::size_t i = 0; i < n; ++i)
      right = right && cell(step, 0, i) == value(before, step, i) && cell(step, n + 1, i) == value(next, step, i);
    return right;
  }
};

struct neighbours {
  pe_id before = (this_pe() + pe_count() - 1) % pe_count(), next = (this_pe() + 1) % pe_count();
  std::array<std::vector<global_ptr<double>>, 2> all;  // the grids of all PEs

  strided_ptr<double> line_of(const block& b, int step, pe_id pe, std::size_t k) const {
    const auto at_pe = all[static_cast<std::size_t>(step) % 2][static_cast<std::size_t>(pe)];
    return at_pe[b.first(k)].strided(b.n, 1, b.stride());
  }
};

// Nobody waits for these: that a neighbour has an edge of step k says its own edge of step k + 1, and the edge is not
// changed before step k + 2.
task<void> tell(strided_ptr<double> there, strided_span<const double> edge, int from, int step) {
  co_await there.write(edge).notify<edge_came>(from, step);
}

task<void> by_notified_writes(block& b, const neighbours& all, int step) {
  spawn(tell(all.line_of(b, step, all.before, b.n + 1), b.line(step, 1), 1, step));
  spawn(tell(all.line_of(b, step, all.next, 0), b.line(step, b.n), 0, step));
  co_await (*arrivals_here)[0].steps.read();
  co_await (*arrivals_here)[1].steps.read();
}

std::vector<double> copy_of(block& b, int step, std::size_t k) {
  std::vector<double> edge(b.n);
  for (std::size_t i = 0; i < b.n; ++i) edge[i] = b.cell(step, k, i);
  return edge;
}

task<void> by_messages(block& b, const neighbours& all, int step) {
  at(all.before).past<take_edge>(1, copy_of(b, step, 1));
  at(all.next).past<take_edge>(0, copy_of(b, step, b.n));
  const std::vector<double> before = co_await (*arrivals_here)[0].edge.read();
  for (std::size_t i = 0; i < b.n; ++i) b.cell(step, 0, i) = before[i];
  const std::vector<double> next = co_await (*arrivals_here)[1].edge.read();
  for (std::size_t i = 0; i < b.n; ++i) b.cell(step, b.n + 1, i) = next[i];
}

task<void> by_barriers(block& b, const neighbours& all, int step) {
  co_await when_all(all.line_of(b, step, all.before, b.n + 1).write(b.line(step, 1)),
                    all.line_of(b, step, all.next, 0).write(b.line(step, b.n)));
  co_await barrier();
}

using exchange = task<void> (*)(block&, const neighbours&, int);

// Microseconds of a step.
task<double> time_of(exchange way, block& b, const neighbours& all, int steps, bool& verified) {
  b.set_edges(0);
  co_await barrier();
  const bench::stopwatch watch;
  for (int step = 0; step < steps; ++step) {
    co_await way(b, all, step);
    verified = verified && b.cell(step, 0, 0) == block::value(all.before, step, 0);
    if (step + 1 < steps) b.set_edges(step + 1);
  }
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);
  verified = verified && b.has(steps - 1, all.before, all.next);
  co_await barrier();
  co_return seconds / steps * 1e6;
}

task<int> program(arguments args) {
  std::int64_t cells = 256, steps = 2000, repetitions = 7;
  if (const auto code = bench::read_options(
          args, "edges of a grid, to both neighbours in a ring",
          {{"--cells", &cells, "of an edge, 8 bytes each"},
           {"--steps", &steps, "of a run"},
           {"--repetitions", &repetitions, "runs of each way, in turns, after one untimed; the medians are reported"}}))
    co_return *code;
  bench::result_line line("halo");
  line.add("transport", transport_name()).add("pes", pe_count()).add("cells", cells).add("steps", steps);
  bool verified = true;
  for (const bool is_row : {true, false}) {
    block mine{.n = static_cast<std::size_t>(cells), .is_row = is_row};
    neighbours all;
    for (std::size_t k = 0; k < 2; ++k) all.all[k] = co_await all_gather(share(std::span(mine.grids[k])));
    constexpr std::array<exchange, 3> ways{by_notified_writes, by_messages, by_barriers};
    std::array<std::vector<double>, 3> taken;
    for (std::int64_t r = 0; r <= repetitions; ++r) {
      for (std::size_t way = 0; way < ways.size(); ++way) {
        const double us = co_await time_of(ways[way], mine, all, static_cast<int>(steps), verified);
        if (r > 0) taken[way].push_back(us);
      }
    }
    const std::string of = is_row ? "rows_" : "columns_";
    line.add(of + "notified_us", bench::summarize(taken[0]).median);
    line.add(of + "messages_us", bench::summarize(taken[1]).median);
    line.add(of + "barriers_us", bench::summarize(taken[2]).median);
    for (auto& of_grid : all.all) unshare(of_grid[static_cast<std::size_t>(this_pe())]);
    co_await barrier();
  }
  verified = co_await all_reduce(verified, reduce::all);
  line.add("verified", verified);
  if (this_pe() == 0) line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
