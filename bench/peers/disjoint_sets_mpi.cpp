// Disjoint sets of a random graph, packed by hand: Rem's algorithm, as tsubu::disjoint_sets has it, in rounds. In each,
// a rank takes `batch` of its edges and what has come for it, climbs as far as it has the parents itself, packs what is
// left to say by the homes of the vertices, and all exchange it by MPI_Alltoallv. Then rounds of questions give each
// vertex its representative.
//
// On one rank it is the sequential program: union and find on the bare table, paths halved.
#include <tsl/robin_map.h>

#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bench/disjoint_workload.hpp"
#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

namespace {

using vertex = std::uint64_t;

struct mixing_hash {
  std::size_t operator()(vertex v) const { return bench::random_source(v).next(); }
};
using table = tsl::robin_map<vertex, vertex, mixing_hash>;

// Another hash than that of the homes: else all roots would be on one rank.
bool comes_before(vertex a, vertex b) {
  const auto place = [](vertex v) { return bench::random_source(v ^ 0x9e3779b97f4a7c15U).next(); };
  return place(a) < place(b);
}

// Vectors for each rank, exchanged. What stays at home is not sent.
template <class T>
class parcels {
 public:
  explicit parcels(const bench::mpi_job& job)
      : to_(static_cast<std::size_t>(job.ranks())), me_(static_cast<std::size_t>(job.rank())) {}

  std::vector<T>& to(std::size_t rank) { return to_[rank]; }

  // Collective. What has come from each rank, until the next one.
  std::vector<std::span<const T>> exchange() {
    const std::size_t ranks = to_.size();
    std::vector<int> sizes(ranks), first(ranks), arriving(ranks), from(ranks);
    for (std::size_t r = 0; r < ranks; ++r) sizes[r] = r == me_ ? 0 : static_cast<int>(to_[r].size() * sizeof(T));
    std::exclusive_scan(sizes.begin(), sizes.end(), first.begin(), 0);
    out_.clear();
    for (std::size_t r = 0; r < ranks; ++r)
      if (r != me_) out_.insert(out_.end(), to_[r].begin(), to_[r].end());
    MPI_Alltoall(sizes.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(arriving.begin(), arriving.end(), from.begin(), 0);
    in_.resize(static_cast<std::size_t>(from.back() + arriving.back()) / sizeof(T));
    MPI_Alltoallv(out_.data(), sizes.data(), first.data(), MPI_CHAR, in_.data(), arriving.data(), from.data(), MPI_CHAR,
                  MPI_COMM_WORLD);
    std::swap(own_, to_[me_]);
    std::vector<std::span<const T>> come;
    for (std::size_t r = 0; r < ranks; ++r) {
      to_[r].clear();
      const std::span<const T> all(in_);
      come.push_back(r == me_ ? std::span<const T>(own_)
                              : all.subspan(static_cast<std::size_t>(from[r]) / sizeof(T),
                                            static_cast<std::size_t>(arriving[r]) / sizeof(T)));
    }
    return come;
  }

 private:
  std::vector<std::vector<T>> to_;
  std::vector<T> out_, in_, own_;
  std::size_t me_;
};

class forest {
 public:
  explicit forest(const bench::mpi_job& job)
      : ranks_(static_cast<std::size_t>(job.ranks())),
        me_(static_cast<std::size_t>(job.rank())),
        links_(job),
        asked_(job) {}

  void unite(const std::vector<bench::graph_edge>& edges, std::size_t batch) {
    std::uint64_t left = 1;
    for (std::size_t done = 0; left != 0;) {
      const std::size_t end = std::min(done + batch, edges.size());
      left = edges.size() - end;
      for (; done < end; ++done) {
        const auto [u, v] = edges[done];
        const bool in_order = comes_before(u, v);
        say(in_order ? v : u, in_order ? u : v);
      }
      for (const std::span<const bench::graph_edge> from : links_.exchange()) {
        for (const auto& [u, v] : from) say(u, v);
      }
      for (std::size_t r = 0; r < ranks_; ++r) left += links_.to(r).size();
      left = bench::sum_over_ranks(left);
    }
  }

  void compress() {
    while (bench::sum_over_ranks(climb_once()) != 0) {
    }
  }

  std::uint64_t roots() const {
    std::uint64_t n = 0;
    for (const auto& [v, parent] : parents_) n += v == parent ? 1 : 0;
    return n;
  }

 private:
  std::size_t home(vertex v) const { return static_cast<std::size_t>((mixing_hash()(v) >> 32) * ranks_ >> 32); }

  // With the later one first it is an edge that nobody has looked at: what is above that one is as good, and nearer to
  // the root; and it is a vertex from now on.
  void say(vertex u, vertex v) {
    if (comes_before(u, v)) return link(u, v);
    if (const std::size_t to = home(u); to != me_) {
      links_.to(to).emplace_back(u, v);
      return;
    }
    const vertex parent = parents_.try_emplace(u, u).first->second;
    link(v, parent);
  }

  void link(vertex u, vertex v) {
    while (u != v) {
      if (comes_before(v, u)) std::swap(u, v);
      if (const std::size_t to = home(u); to != me_) {
        links_.to(to).emplace_back(u, v);
        return;
      }
      const auto found = parents_.try_emplace(u, u).first;
      const vertex parent = found->second;
      if (parent == u || comes_before(parent, v)) found.value() = v;
      if (parent == u) return;
      u = parent;
    }
  }

  vertex top(vertex v) const {
    for (;;) {
      const vertex parent = parents_.find(v)->second;
      if (parent == v || home(parent) != me_) return parent;
      v = parent;
    }
  }

  // Each parent is asked for once, and gets what is above it; how many have changed.
  std::uint64_t climb_once() {
    table above;
    for (const auto& [v, parent] : parents_) {
      if (v != parent && above.try_emplace(parent, parent).second) asked_.to(home(parent)).push_back(parent);
    }
    std::vector<std::vector<vertex>> questions(ranks_);
    for (std::size_t r = 0; r < ranks_; ++r) questions[r] = asked_.to(r);
    const std::vector<std::span<const vertex>> come = asked_.exchange();
    for (std::size_t r = 0; r < ranks_; ++r) {
      for (const vertex v : come[r]) asked_.to(r).push_back(top(v));
    }
    const std::vector<std::span<const vertex>> answers = asked_.exchange();
    for (std::size_t r = 0; r < ranks_; ++r) {
      for (std::size_t i = 0; i < answers[r].size(); ++i) above[questions[r][i]] = answers[r][i];
    }
    std::uint64_t changed = 0;
    for (auto it = parents_.begin(); it != parents_.end(); ++it) {
      if (it->first == it->second) continue;
      const vertex up = above.find(it->second)->second;
      changed += up != it->second ? 1 : 0;
      it.value() = up;
    }
    return changed;
  }

  std::size_t ranks_, me_;
  table parents_;
  parcels<bench::graph_edge> links_;
  parcels<vertex> asked_;
};

class sequential_forest {
 public:
  void unite(vertex u, vertex v) {
    u = find(u);
    v = find(v);
    if (u != v) parents_[comes_before(u, v) ? u : v] = comes_before(u, v) ? v : u;
  }
  vertex find(vertex v) {
    for (;;) {
      const auto here = parents_.try_emplace(v, v).first;
      if (here->second == v) return v;
      const vertex up = parents_.find(here->second)->second;
      here.value() = up;
      v = up;
    }
  }
  void compress() {
    for (auto it = parents_.begin(); it != parents_.end(); ++it) it.value() = find(it->first);
  }
  std::uint64_t roots() const {
    std::uint64_t n = 0;
    for (const auto& [v, parent] : parents_) n += v == parent ? 1 : 0;
    return n;
  }

 private:
  table parents_;
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t vertices = 1'000'000, batch = 65'536, repetitions = 3;
  bench::parse_options(argc, argv, "disjoint sets by MPI_Alltoallv, packed by hand",
                       {{"--vertices", &vertices, "of all ranks; there are twice as many edges"},
                        {"--batch", &batch, "edges of a rank per exchange"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  const std::vector<bench::graph_edge> edges =
      bench::make_graph_edges(static_cast<std::uint64_t>(vertices), static_cast<std::size_t>(job.rank()),
                              static_cast<std::size_t>(job.ranks()));
  std::vector<double> seconds;
  std::uint64_t sets = 0;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    forest of_ranks(job);
    sequential_forest alone;
    const double time = bench::time_of([&] {
      if (job.ranks() > 1) {
        of_ranks.unite(edges, static_cast<std::size_t>(batch));
        of_ranks.compress();
      } else {
        for (const auto& [from, to] : edges) alone.unite(from, to);
        alone.compress();
      }
    });
    sets = bench::sum_over_ranks(job.ranks() > 1 ? of_ranks.roots() : alone.roots());
    if (r > 0) seconds.push_back(time);
  }
  if (job.rank() == 0) {
    bench::result_line line("disjoint_sets");
    line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("vertices", vertices).add("batch", batch);
    line.add("sets", static_cast<std::int64_t>(sets)).add("seconds", bench::summarize(seconds).median);
    line.print();
  }
  return 0;
}
