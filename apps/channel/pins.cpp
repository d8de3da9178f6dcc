#include "apps/channel/pins.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "apps/program/random_stream.hpp"
#include "apps/text/line_reader.hpp"

namespace channel {
namespace {

std::vector<int> read_edge(text::line_reader& in, std::string_view name) {
  const std::string edge = "the pins of the " + std::string(name) + " edge";
  if (!in.next_data_line_or_end("#")) in.fail(edge, "the end of the file");
  const std::string wanted = "the number of a net, from 1 to " + std::to_string(most_nets) + ", or 0 for none";
  std::vector<int> edge_pins;
  while (in.has_word()) {
    const int net = in.parse<int>(wanted);
    if (net < 0 || net > most_nets) in.fail(wanted, std::to_string(net));
    edge_pins.push_back(net);
    if (edge_pins.size() > most_columns) in.fail(std::to_string(most_columns) + " columns at most", "more of them");
  }
  return edge_pins;
}

// Puts pins at random, so that no net must be above and below another: there is a legal routing then.
class random_channel {
 public:
  random_channel(int nets, int columns, std::uint64_t seed)
      : random_(program::mixed(seed)),
        reach_(columns / 4 + 1),
        ends_(static_cast<std::size_t>(columns) * 2),
        below_(static_cast<std::size_t>(nets) + 1) {}

  // Two pins. As columns are twice the nets at least, there is one without a pin yet.
  int begin_net(int net) {
    const auto middle = static_cast<int>(random_.below(ends_.size()));
    for (int pin = 0; pin < 2; ++pin) {
      if (add_pin(net, middle)) continue;
      std::size_t end = 0;
      while (ends_[end] != 0 || ends_[end + 1] != 0) end += 2;
      ends_[end] = net;
    }
    return middle;
  }

  // Up to six more, as far as a few trials find room.
  void add_pins(int net, int middle) {
    constexpr int most = 6, chance = 45;
    for (int pin = 0; pin < most && random_.below(100) < chance; ++pin) add_pin(net, middle);
  }

  pins made() const {
    pins of;
    for (std::size_t end = 0; end < ends_.size(); end += 2) {
      of.top.push_back(ends_[end]);
      of.bottom.push_back(ends_[end + 1]);
    }
    return of;
  }

 private:
  bool add_pin(int net, int middle) {
    constexpr int trials = 20;
    const int first = std::max(middle - reach_, 0), last = std::min(middle + reach_, static_cast<int>(ends_.size()));
    for (int i = 0; i < trials; ++i) {
      const auto end = static_cast<std::size_t>(first) + random_.below(static_cast<std::uint64_t>(last - first));
      if (ends_[end] != 0) continue;
      const int opposite = ends_[end ^ 1];
      if (opposite != 0 && opposite != net) {
        const bool is_lower = end % 2 == 1;
        const int upper = is_lower ? opposite : net, lower = is_lower ? net : opposite;
        if (must_be_below(upper, lower)) continue;
        below_[static_cast<std::size_t>(upper)].insert(lower);
      }
      ends_[end] = net;
      return true;
    }
    return false;
  }

  // Directly or by others in between.
  bool must_be_below(int net, int than) const {
    std::set<int> seen{than};
    std::vector<int> todo{than};
    while (!todo.empty()) {
      const int upper = todo.back();
      todo.pop_back();
      if (upper == net) return true;
      for (const int lower : below_[static_cast<std::size_t>(upper)]) {
        if (seen.insert(lower).second) todo.push_back(lower);
      }
    }
    return false;
  }

  tsubu::random_source random_;
  int reach_;
  std::vector<int> ends_;             // 2 c and 2 c + 1 are the upper and the lower end of column c; 0: no pin
  std::vector<std::set<int>> below_;  // by net
};

}  // namespace

std::size_t pins::count() const {
  const auto at = [](const std::vector<int>& edge) {
    return edge.size() - static_cast<std::size_t>(std::count(edge.begin(), edge.end(), 0));
  };
  return at(top) + at(bottom);
}

pins read_pins(std::istream& in, const std::string& name) {
  text::line_reader lines(in, name);
  pins read;
  read.top = read_edge(lines, "upper");
  read.bottom = read_edge(lines, "lower");
  if (read.top.size() != read.bottom.size()) {
    lines.fail(std::to_string(read.top.size()) + " columns, as the upper edge has", std::to_string(read.bottom.size()));
  }
  std::map<int, int> pins_of_net;
  for (const auto* edge : {&read.top, &read.bottom}) {
    for (const int net : *edge) {
      if (net != 0) ++pins_of_net[net];
    }
  }
  if (pins_of_net.empty()) lines.fail("a net", "none");
  for (const auto& [net, count] : pins_of_net) {
    if (count == 1) lines.fail("two pins at least of net " + std::to_string(net), "one");
  }
  if (lines.next_data_line_or_end("#")) lines.fail("the end of the file", text::in_quotes(lines.line()));
  return read;
}

pins random_pins(int nets, int columns, std::uint64_t seed) {
  random_channel all(nets, columns, seed);
  std::vector<int> middles;
  for (int net = 1; net <= nets; ++net) middles.push_back(all.begin_net(net));
  for (int net = 1; net <= nets; ++net) all.add_pins(net, middles[static_cast<std::size_t>(net - 1)]);
  return all.made();
}

}  // namespace channel
