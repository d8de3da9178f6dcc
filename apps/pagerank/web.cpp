#include "apps/pagerank/web.hpp"

#include <fmt/core.h>

#include <utility>

#include "apps/bfs/kronecker.hpp"

namespace pagerank {

using namespace tsubu;
using graph::entry;
using graph::vertex;

static pe_local<std::vector<entry>> links_in;

void take_link(vertex from, vertex to) { links_in->push_back({from, to, 1.0}); }

namespace {

constexpr graph::file_rules square{.square = true};
constexpr std::uint64_t burst = 1000;

bfs::kronecker kronecker_of(const web& of) {
  return bfs::kronecker(of.scale, static_cast<int>(of.from.degree), of.from.seed);
}

// Each PE makes a part of the links, and sends them to the PEs of their pages.
task<graph::loaded> scatter(web of, program::progress* shown) {
  const bfs::kronecker all = kronecker_of(of);
  const graph::cyclic share = graph::own_share();
  const std::uint64_t pes = share.pes, me = share.pe;
  std::uint64_t sent = 0;
  for (std::uint64_t k = me; k < all.edges(); k += pes) {
    const bfs::edge link = all.edge_at(k);
    if (link.from == link.to) continue;
    at(share.owner(link.from)).past<take_link>(link.from, link.to);
    if (++sent % burst != 0) continue;
    shown->at("making links", static_cast<std::int64_t>(k), static_cast<std::int64_t>(all.edges()));
    co_await room_everywhere();
  }
  co_await quiescence();
  const auto pages = static_cast<vertex>(all.vertices());
  graph::loaded made;
  made.rows = graph::assemble(share, pages, pages, std::exchange(*links_in, {}), graph::repeats::keep_least);
  co_return made;
}

}  // namespace

void web::add_options(program::command_line& to) {
  from.add_options(to, "--vertices");
  to.add_option("--scale", scale, "a Kronecker graph of 2^S vertices, with hubs; --degree is then a whole number")
      .range(1, bfs::most_bits)
      .excludes(to.named("--file"))
      .excludes(to.named("--vertices"))
      .type_name("S");
}

std::string web::trouble() const {
  if (scale == 0 || (from.degree >= 1 && from.degree <= 1e6 && from.degree == static_cast<int>(from.degree))) return {};
  return fmt::format("--degree: expected a whole number from 1 to 1000000 with --scale, got {:g}", from.degree);
}

std::string web::name() const {
  if (scale == 0) return from.name();
  return fmt::format("kronecker {}, degree {:g}, seed {}", scale, from.degree, from.seed);
}

task<graph::loaded> web::load(program::progress* shown) const {
  if (scale != 0) co_return co_await scatter(*this, shown);
  co_return co_await graph::load(from, graph::part::no_diagonal, square, graph::repeats::keep_least, shown);
}

graph::sparse_rows web::whole() const {
  if (scale == 0) {
    return graph::whole(from, graph::part::no_diagonal, square, graph::repeats::keep_least);
  }
  const bfs::kronecker all = kronecker_of(*this);
  std::vector<entry> made;
  for (std::uint64_t k = 0; k < all.edges(); ++k) {
    const bfs::edge link = all.edge_at(k);
    if (link.from != link.to) made.push_back({link.from, link.to, 1.0});
  }
  const auto pages = static_cast<vertex>(all.vertices());
  return graph::assemble({}, pages, pages, std::move(made), graph::repeats::keep_least);
}

}  // namespace pagerank
