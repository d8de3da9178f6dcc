#include "apps/channel/checker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace channel {
namespace {

// Cells that are connected have the same root.
class sets_of_cells {
 public:
  explicit sets_of_cells(std::size_t cells) : parent_(cells) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t root(std::size_t cell) {
    while (parent_[cell] != cell) cell = parent_[cell] = parent_[parent_[cell]];
    return cell;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parent_;
};

enum class direction : std::uint8_t { horizontal, vertical };
constexpr std::size_t layers = 2 * pairs;

class painting {
 public:
  painting(const wiring& laid, const pins& given)
      : laid_(laid),
        pins_(given),
        rows_(static_cast<std::size_t>(std::max(laid.tracks, 0)) + 2),
        net_of_(layers * rows_ * given.columns()),
        connected_(net_of_.size()) {
    for (const auto* edge : {&given.top, &given.bottom}) numbers_.insert(edge->begin(), edge->end());
    numbers_.erase(0);
  }

  std::string trouble() {
    for (const wire& w : laid_.horizontal) paint(w, direction::horizontal);
    for (const wire& w : laid_.vertical) paint(w, direction::vertical);
    for (const via& v : laid_.vias) pierce(v);
    if (trouble_.empty()) check_edges();
    if (trouble_.empty()) check_connections();
    return trouble_;
  }

 private:
  std::size_t lower_edge() const { return rows_ - 1; }
  std::size_t cell(int pair, direction d, std::size_t row, std::size_t column) const {
    const std::size_t layer = static_cast<std::size_t>(pair) * 2 + static_cast<std::size_t>(d);
    return (layer * rows_ + row) * pins_.columns() + column;
  }
  static const char* name_of(direction d) { return d == direction::horizontal ? "horizontal" : "vertical"; }
  void say(std::string what) {
    if (trouble_.empty()) trouble_ = std::move(what);
  }

  bool is_inside(const wire& w, direction d) const {
    const auto bottom = static_cast<int>(lower_edge());
    if (w.pair < 0 || w.pair >= pairs || w.last_column >= pins_.columns()) return false;
    if (w.first_column > w.last_column || w.first_row > w.last_row) return false;
    if (d == direction::vertical) return w.first_column == w.last_column && w.first_row >= 0 && w.last_row <= bottom;
    return w.first_row == w.last_row && w.first_row >= 1 && w.last_row < bottom;
  }

  void paint(const wire& w, direction d) {
    if (!numbers_.contains(w.net)) return say(fmt::format("a wire of net {}, which has no pins", w.net));
    if (!is_inside(w, d)) {
      return say(
          fmt::format("a {} wire of net {}, from row {}, column {} to row {}, column {} of pair {}: expected one "
                      "inside the channel",
                      name_of(d), w.net, w.first_row, w.first_column, w.last_row, w.last_column, w.pair));
    }
    const std::size_t begin = cell(w.pair, d, static_cast<std::size_t>(w.first_row), w.first_column);
    for (int row = w.first_row; row <= w.last_row; ++row) {
      for (std::size_t column = w.first_column; column <= w.last_column; ++column) {
        const std::size_t here = cell(w.pair, d, static_cast<std::size_t>(row), column);
        if (net_of_[here] != 0 && net_of_[here] != w.net) {
          return say(fmt::format("nets {} and {} touch on the {} layer of pair {}, at row {}, column {}", net_of_[here],
                                 w.net, name_of(d), w.pair, row, column));
        }
        net_of_[here] = w.net;
        connected_.join(begin, here);
      }
    }
  }

  void pierce(const via& v) {
    if (v.pair < 0 || v.pair >= pairs || v.column >= pins_.columns() || v.row < 1 ||
        v.row >= static_cast<int>(lower_edge()))
      return say(fmt::format("a via of net {} at row {}, column {} of pair {}: expected one on a track", v.net, v.row,
                             v.column, v.pair));
    const auto row = static_cast<std::size_t>(v.row);
    const std::size_t across = cell(v.pair, direction::horizontal, row, v.column);
    const std::size_t along = cell(v.pair, direction::vertical, row, v.column);
    if (net_of_[across] != v.net || net_of_[along] != v.net)
      return say(fmt::format("a via of net {} at row {}, column {} of pair {} joins wires of nets {} and {}", v.net,
                             v.row, v.column, v.pair, net_of_[across], net_of_[along]));
    connected_.join(across, along);
  }

  // A pin goes through all layers: it connects what of its net comes to it, and nobody else's may come.
  void check_edges() {
    for (const bool is_upper : {true, false}) {
      const std::vector<int>& edge = is_upper ? pins_.top : pins_.bottom;
      for (std::size_t column = 0; column < edge.size(); ++column) {
        const int pin = edge[column];
        std::size_t previous = net_of_.size();
        for (int pair = 0; pair < pairs; ++pair) {
          const std::size_t here = cell(pair, direction::vertical, is_upper ? 0 : lower_edge(), column);
          if (net_of_[here] == 0) continue;
          if (net_of_[here] != pin)
            return say(fmt::format("a wire of net {} comes to the {} edge at column {}, where the pin is of net {}",
                                   net_of_[here], is_upper ? "upper" : "lower", column, pin));
          if (previous != net_of_.size()) connected_.join(previous, here);
          previous = here;
        }
        if (pin == 0) continue;
        if (previous == net_of_.size())
          return say(fmt::format("no wire comes to the pin of net {} on the {} edge at column {}", pin,
                                 is_upper ? "upper" : "lower", column));
      }
    }
  }

  // Every pin has a wire, so a net whose painted cells all are one piece has all of its pins connected.
  void check_connections() {
    std::map<int, std::size_t> piece;
    for (std::size_t here = 0; here < net_of_.size(); ++here) {
      if (net_of_[here] == 0) continue;
      const std::size_t root = connected_.root(here);
      if (piece.try_emplace(net_of_[here], root).first->second != root)
        return say(fmt::format("the wires of net {} are not all connected", net_of_[here]));
    }
  }

  const wiring& laid_;
  const pins& pins_;
  std::size_t rows_;
  std::set<int> numbers_;
  std::vector<int> net_of_;  // by cell, 0: nobody's
  sets_of_cells connected_;
  std::string trouble_;
};

}  // namespace

std::string trouble_of(const wiring& laid, const pins& given) { return painting(laid, given).trouble(); }

int tracks_used(const wiring& laid) {
  std::set<int> used;
  for (const wire& w : laid.horizontal) used.insert(w.first_row);
  return static_cast<int>(used.size());
}

}  // namespace channel
