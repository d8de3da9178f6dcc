// PageRank by power iteration on a generated web: in each step a page gives its rank in equal parts to the pages that
// it links to. Pages are dealt to the PEs in turn, and each link is a message to the PE of the page it leads to. Ranks
// are integers, in units of 2^-32 of the mean rank, so that the sums do not depend on the order of the messages.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "examples/gallery/problem/pagerank.hpp"

using namespace tsubu;

pe_local<std::vector<rank_units>> received;  // in this step, by the pages of this PE

void receive(std::uint32_t page_here, rank_units part) { (*received)[page_here] += part; }

task<int> program(arguments args) {
  const auto pages = args.number<std::uint64_t>(1, 20'000);
  const std::uint64_t me = pe_index(), pes = all_pes().size();
  std::vector<rank_units> ranks((pages + pes - 1 - me) / pes, one);
  received->resize(ranks.size());
  co_await barrier();  // nobody sends before all have room

  std::uint64_t links = 0;
  for (int step = 0; step < steps; ++step) {
    for (std::uint64_t page = me; page < pages; page += pes) {
      const std::uint64_t n = links_of(page);
      const rank_units part = ranks[page / pes] * 85 / 100 / n;
      for (std::uint64_t i = 0; i < n; ++i) {
        const std::uint64_t to = link(page, i, pages);
        co_await at(to % pes).past<receive>(to / pes, part);
      }
      links += n;
    }
    co_await quiescence();
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = one * 15 / 100 + std::exchange((*received)[i], 0);
    co_await barrier();  // nobody sends the next step's before all have taken this one's
  }

  rank_units sum = 0;
  std::vector<std::pair<rank_units, std::uint64_t>> best;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += ranks[i], best.emplace_back(ranks[i], i * pes + me);
  std::sort(best.rbegin(), best.rend());
  best.resize(std::min<std::size_t>(best.size(), 3));
  const auto best_of_each = co_await gather(best);
  sum = co_await all_reduce(sum, reduce::plus);
  links = co_await all_reduce(links, reduce::plus);

  // What is lost is less than a unit for each division.
  const bool right = sum <= pages * one && sum + 2 * links + steps * pages >= pages * one;
  if (me == 0) {
    best.clear();
    for (const auto& of_one : best_of_each) best.insert(best.end(), of_one.begin(), of_one.end());
    std::sort(best.rbegin(), best.rend());
    best.resize(std::min<std::size_t>(best.size(), 3));
    for (const auto& [rank, page] : best)
      std::printf("page %ju has rank %.6f\n", std::uintmax_t{page},
                  static_cast<double>(rank) / static_cast<double>(one));
    if (!right) std::printf("wrong: the ranks do not add up\n");
  }
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
