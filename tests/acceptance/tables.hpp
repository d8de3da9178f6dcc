// What tables 5 to 8 of "MPC++ on MPI" print, and the rows that compare our counters with them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/npb/cg.hpp"
#include "apps/npb/is.hpp"
#include "tests/acceptance/rows.hpp"

namespace acceptance {

// What a node of the C++ + MPI program counted.
struct mpi_counts {
  std::uint64_t send = 0, irecv = 0, wait = 0;
  std::uint64_t allreduce = 0, alltoall = 0, alltoallv = 0;
  std::uint64_t bytes = 0;  // sent
};

// What a node of the MTTL program counted; see tsubu/mpc/counters.hpp.
struct mttl_counts {
  std::uint64_t send = 0, isend = 0, recv = 0;
  std::uint64_t payload_bytes = 0, header_bytes = 0;
  std::uint64_t probe = 0, test = 0;
};

inline constexpr double mega = 1024.0 * 1024.0;

// The column of a table for p nodes, or -1: the tables have 2, 4, 8, 16 and 32.
inline int column(int p) {
  for (int c = 0; c < 5; ++c)
    if (p == 2 << c) return c;
  return -1;
}

// What all nodes counted; the tables tell the count of each, which must not differ.
template <class Counts>
void exact_on_each(const std::string& id, const std::string& what, long long paper, const std::vector<Counts>& nodes,
                   std::uint64_t Counts::* which) {
  for (const Counts& node : nodes) {
    if (static_cast<long long>(node.*which) == paper) continue;
    return exact(id, what + ", each node", paper, static_cast<long long>(node.*which));
  }
  exact(id, what + ", each node", paper, paper);
}

template <class Counts>
double mean(const std::vector<Counts>& nodes, std::uint64_t Counts::* which) {
  double sum = 0;
  for (const Counts& node : nodes) sum += static_cast<double>(node.*which);
  return sum / static_cast<double>(nodes.size());
}

inline std::string with_nodes(const std::string& what, std::size_t p) {
  return what + ", " + std::to_string(p) + " nodes";
}

inline void cg_verifies(const std::string& version, const npb::cg_class& problem, double zeta, std::size_t p) {
  row("M11", with_nodes("CG class " + std::string(1, problem.name) + " " + version + ": zeta", p),
      digits(problem.zeta, 12), digits(zeta, 12), npb::cg_verified(problem, zeta));
}

inline void is_verifies(const std::string& version, const npb::is_class& problem, int partial, int full,
                        std::size_t p) {
  const int checks = npb::is_test_keys * npb::is_iterations;
  row("M11", with_nodes("IS class " + std::string(1, problem.name) + " " + version + ": partial + full checks", p),
      std::to_string(checks) + " + " + std::to_string(p), std::to_string(partial) + " + " + std::to_string(full),
      partial == checks && full == static_cast<int>(p));
}

inline void table_5(const std::vector<mpi_counts>& nodes) {
  static constexpr std::array<long long, 5> calls{1200, 2790, 5160, 9090, 16140};
  static constexpr std::array<double, 5> total{20.8, 31.3, 36.5, 39.1, 40.4};
  static constexpr std::array<double, 5> average{18.2, 11.7, 7.4, 4.5, 2.6};
  const int c = column(static_cast<int>(nodes.size()));
  if (c < 0) return;
  const auto at = static_cast<std::size_t>(c);
  exact_on_each("M1", with_nodes("table 5: Send", nodes.size()), calls[at], nodes, &mpi_counts::send);
  exact_on_each("M1", with_nodes("table 5: Irecv", nodes.size()), calls[at], nodes, &mpi_counts::irecv);
  exact_on_each("M1", with_nodes("table 5: Wait", nodes.size()), calls[at], nodes, &mpi_counts::wait);
  const double bytes = mean(nodes, &mpi_counts::bytes);
  within("M3", with_nodes("table 5: total MB", nodes.size()), total[at], bytes / mega, 0.1, 1);
  // In units of 1000 bytes.
  within("M3", with_nodes("table 5: average KB", nodes.size()), average[at],
         bytes / mean(nodes, &mpi_counts::send) / 1000, 0.05, 3);
}

inline void table_6(const std::vector<mttl_counts>& nodes) {
  static constexpr std::array<long long, 5> send{1591, 3572, 6333, 10654, 18095};
  static constexpr std::array<long long, 5> isend{390, 1170, 2730, 0, 0};
  static constexpr std::array<long long, 5> recv{1981, 4742, 9063, 10654, 18095};
  static constexpr std::array<double, 5> total{20.9, 31.4, 36.6, 39.4, 40.8};
  static constexpr std::array<double, 5> average{10.80, 6.77, 4.14, 3.87, 2.37};
  const int c = column(static_cast<int>(nodes.size()));
  if (c < 0) return;
  const auto at = static_cast<std::size_t>(c);
  exact_on_each("M2", with_nodes("table 6: Send", nodes.size()), send[at], nodes, &mttl_counts::send);
  exact_on_each("M2", with_nodes("table 6: Isend", nodes.size()), isend[at], nodes, &mttl_counts::isend);
  exact_on_each("M2", with_nodes("table 6: Recv", nodes.size()), recv[at], nodes, &mttl_counts::recv);
  const double bytes = mean(nodes, &mttl_counts::payload_bytes) + mean(nodes, &mttl_counts::header_bytes);
  within("M4", with_nodes("table 6: total MB", nodes.size()), total[at], bytes / mega, 0.3, 1);
  // The table has units of 1024 bytes up to 8 nodes, and of 1000 from there on. Headers are our own.
  const double sends = mean(nodes, &mttl_counts::send) + mean(nodes, &mttl_counts::isend);
  within("M4", with_nodes("table 6: average KB", nodes.size()), average[at],
         bytes / sends / (nodes.size() <= 8 ? 1024 : 1000), 0.01 * average[at], 2);
}

inline void table_7(const std::vector<mpi_counts>& nodes) {
  static constexpr std::array<double, 5> average{2731, 2052, 1204, 660.2, 372.3};
  static constexpr std::array<double, 5> total{80.0, 60.1, 35.3, 19.3, 10.9};
  const int c = column(static_cast<int>(nodes.size()));
  if (c < 0) return;
  const auto at = static_cast<std::size_t>(c);
  exact_on_each("M5", with_nodes("table 7: Allreduce", nodes.size()), 10, nodes, &mpi_counts::allreduce);
  exact_on_each("M5", with_nodes("table 7: Alltoall", nodes.size()), 10, nodes, &mpi_counts::alltoall);
  exact_on_each("M5", with_nodes("table 7: Alltoallv", nodes.size()), 10, nodes, &mpi_counts::alltoallv);
  const double bytes = mean(nodes, &mpi_counts::bytes);
  within("M5", with_nodes("table 7: average KB", nodes.size()), average[at], bytes / 30 / 1024, 0.002 * average[at], 1);
  // Printed with one digit: half of one is added to what the row allows.
  within("M5", with_nodes("table 7: total MB", nodes.size()), total[at], bytes / mega, 0.002 * total[at] + 0.05, 1);
}

inline void table_8(const std::vector<mttl_counts>& nodes) {
  // 1,170 is printed for 32 nodes; 1,180 = Recv - Isend is what was meant.
  static constexpr std::array<long long, 5> send{80, 190, 360, 650, 1180};
  static constexpr std::array<long long, 5> isend{10, 30, 70, 150, 310};
  static constexpr std::array<long long, 5> recv{90, 220, 430, 800, 1490};
  static constexpr std::array<double, 5> total{80.0, 60.1, 35.1, 18.9, 9.9};
  static constexpr std::array<double, 5> average{910.5, 279.7, 83.7, 24.2, 6.84};
  const int c = column(static_cast<int>(nodes.size()));
  if (c < 0) return;
  const auto at = static_cast<std::size_t>(c);
  exact_on_each("M6", with_nodes("table 8: Send", nodes.size()), send[at], nodes, &mttl_counts::send);
  exact_on_each("M6", with_nodes("table 8: Isend", nodes.size()), isend[at], nodes, &mttl_counts::isend);
  exact_on_each("M6", with_nodes("table 8: Recv", nodes.size()), recv[at], nodes, &mttl_counts::recv);
  const double bytes = mean(nodes, &mttl_counts::payload_bytes) + mean(nodes, &mttl_counts::header_bytes);
  within("M7", with_nodes("table 8: total MB", nodes.size()), total[at], bytes / mega, 0.1, 1);
  const double sends = mean(nodes, &mttl_counts::send) + mean(nodes, &mttl_counts::isend);
  within("M7", with_nodes("table 8: average KB", nodes.size()), average[at], bytes / sends / 1024, 0.01 * average[at],
         2);
}

// Table 8's Iprobe and Test, which depend on how long a node waits: told, not compared.
inline void tell_probes(const std::vector<mttl_counts>& nodes) {
  if (mean(nodes, &mttl_counts::probe) == 0) return;  // no MPI is below
  std::printf(
      "table 8: a node receives %.0f messages, and asks %.1f times whether one has come, %.1f times more whether "
      "one has left or landed\n",
      mean(nodes, &mttl_counts::recv), mean(nodes, &mttl_counts::probe), mean(nodes, &mttl_counts::test));
}

template <class Outcome>
auto counts_of(const std::vector<Outcome>& results) {
  std::vector<decltype(Outcome::counted)> counts;
  for (const Outcome& result : results) counts.push_back(result.counted);
  return counts;
}

// For programs that read it.
inline void tell_seconds(const char* program, double seconds) {
  std::printf("{\"program\":\"%s\",\"verified\":%s,\"seconds\":%.6g}\n", program, all_reproduced ? "true" : "false",
              seconds);
}

// What a run of CG came to, one outcome of each node; table: called if the class is that of the paper's table.
template <class Outcome, class Table>
void report_cg(const std::string& version, const npb::cg_class& problem, int iterations,
               const std::vector<Outcome>& results, Table table) {
  std::printf("CG class %c, %s, on %zu PEs: %.3f s, residual %.1e\n", problem.name, version.c_str(), results.size(),
              results[0].seconds, results[0].residual);
  if (iterations != problem.niter) {  // only their time is wanted
    std::printf("%d of %d iterations, not verified\n", iterations, problem.niter);
    return;
  }
  cg_verifies(version, problem, results[0].zeta, results.size());
  if (problem.name == 'A') table(counts_of(results));
  tell_seconds("cg", results[0].seconds);
}

template <class Outcome, class Table>
void report_is(const std::string& version, const npb::is_class& problem, const std::vector<Outcome>& results,
               Table table) {
  std::printf("IS class %c, %s, on %zu PEs: %.3f s\n", problem.name, version.c_str(), results.size(),
              results[0].seconds);
  int partial = 0, full = 0;
  for (const Outcome& result : results) {
    partial += result.partial;
    full += result.full;
  }
  is_verifies(version, problem, partial, full, results.size());
  if (problem.name == 'A') table(counts_of(results));
  tell_seconds("is", results[0].seconds);
}

}  // namespace acceptance
