#include "apps/channel/nets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace channel {
namespace {

using pair_of_nets = std::pair<std::uint32_t, std::uint32_t>;

bool share_a_column(const net& a, const net& b) { return a.first <= b.last && b.first <= a.last; }

}  // namespace

std::vector<net> nets_of(const pins& given) {
  std::map<int, net> by_number;
  for (std::size_t column = 0; column < given.columns(); ++column) {
    for (const int number : {given.top[column], given.bottom[column]}) {
      if (number == 0) continue;
      net& n = by_number.try_emplace(number, net{number, column, column, {}}).first->second;
      n.last = column;
    }
  }
  std::vector<net> nets;
  std::map<int, std::uint32_t> index;
  for (auto& [number, n] : by_number) {
    index[number] = static_cast<std::uint32_t>(nets.size());
    nets.push_back(std::move(n));
  }
  std::set<pair_of_nets> above_below;
  for (std::size_t column = 0; column < given.columns(); ++column) {
    const int top = given.top[column], bottom = given.bottom[column];
    if (top != 0 && bottom != 0 && top != bottom) above_below.emplace(index[top], index[bottom]);
  }
  const auto count = static_cast<std::uint32_t>(nets.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t p = 0; p < count; ++p) {
      if (p == i || !share_a_column(nets[i], nets[p])) continue;
      nets[i].neighbours.push_back({p, above_below.contains({i, p}), above_below.contains({p, i})});
    }
  }
  return nets;
}

int density(const std::vector<net>& nets) {
  std::map<std::size_t, int> change;  // by column
  for (const net& n : nets) {
    ++change[n.first];
    --change[n.last + 1];
  }
  int here = 0, most = 0;
  for (const auto& [column, by] : change) most = std::max(most, here += by);
  return most;
}

}  // namespace channel
