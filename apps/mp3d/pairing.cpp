#include "apps/mp3d/pairing.hpp"

#include <algorithm>
#include <utility>

#include "apps/mp3d/random.hpp"

namespace mp3d {

ticket::ticket(const gas& of, std::int64_t step, std::int64_t of_number)
    : drawn(draw(of.seed, purpose::ticket, of_number, step)()), number(of_number) {}

std::vector<visitor> meet(const gas& of, std::int64_t step, const std::vector<visitor>& in_cell, counters& counted) {
  const auto count = static_cast<std::int64_t>(in_cell.size());
  std::vector<visitor> changed;
  if (count < 2) return changed;
  std::vector<std::pair<ticket, const visitor*>> order;
  order.reserve(in_cell.size());
  for (const visitor& v : in_cell) order.emplace_back(ticket(of, step, v.number), &v);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
    visitor first = *order[i].second, second = *order[i + 1].second;
    if (!collide(of, step, count, first, second, counted)) continue;
    changed.push_back(first);
    changed.push_back(second);
  }
  return changed;
}

}  // namespace mp3d
