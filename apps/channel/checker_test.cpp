// Promise: legal wires are accepted, and everything else is refused. Method: all single damages to a routing of
// Deutsch's example; and random places on small channels, which must be accepted if and only if no constraint between
// two nets is broken, which the checker knows nothing of.
#include "apps/channel/checker.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "apps/channel/router.hpp"
#include "tsubu/base/random.hpp"

namespace channel {
namespace {

const pins& example() {
  static const pins given = deutsch();
  return given;
}

const wiring& legal() {
  static const wiring laid = [] {
    const std::vector<net> nets = nets_of(example());
    rules by;
    by.fewest_tracks = by.most_tracks = 12;
    const outcome found = route_alone(nets, by);
    return lay_wires(example(), nets, found.places, found.tracks);
  }();
  return laid;
}

bool is_refused(const wiring& laid, const std::string& with) {
  const std::string trouble = trouble_of(laid, example());
  return trouble.find(with) != std::string::npos && !trouble.empty();
}

TEST(Checker, AcceptsARouting) {
  EXPECT_EQ(trouble_of(legal(), example()), "");
  EXPECT_EQ(tracks_used(legal()), 12);
}

TEST(Checker, MissesEachPiece) {
  for (std::size_t i = 0; i < legal().vias.size(); ++i) {
    wiring laid = legal();
    laid.vias.erase(laid.vias.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(is_refused(laid, "are not all connected")) << i;
  }
  for (std::size_t i = 0; i < legal().horizontal.size(); ++i) {
    wiring laid = legal();
    laid.horizontal.erase(laid.horizontal.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(is_refused(laid, "a via of net")) << i;
  }
  for (std::size_t i = 0; i < legal().vertical.size(); ++i) {
    wiring laid = legal();
    const std::size_t column = laid.vertical[i].first_column;
    laid.vertical.erase(laid.vertical.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(is_refused(laid, "a via of net")) << i;
    std::erase_if(laid.vias, [&](const via& v) { return v.column == column && v.net == legal().vertical[i].net; });
    EXPECT_TRUE(is_refused(laid, "no wire comes to the pin of net")) << i;
  }
}

TEST(Checker, FindsEachCutWire) {
  for (std::size_t i = 0; i < legal().horizontal.size(); ++i) {
    wiring laid = legal();
    const wire whole = laid.horizontal[i];
    if (whole.first_column == whole.last_column) continue;
    // Into two, with no column between them.
    wire rest = whole;
    ++rest.first_column;
    laid.horizontal[i].last_column = whole.first_column;
    laid.horizontal.push_back(rest);
    EXPECT_TRUE(is_refused(laid, fmt::format("the wires of net {} are not all connected", whole.net))) << i;
  }
  for (std::size_t i = 0; i < legal().vertical.size(); ++i) {
    wiring laid = legal();
    wire& cut = laid.vertical[i];
    if (cut.first_row == 0) {
      ++cut.first_row;
    } else {
      --cut.last_row;
    }
    EXPECT_TRUE(is_refused(laid, fmt::format("no wire comes to the pin of net {}", cut.net))) << i;
  }
}

TEST(Checker, FindsShorts) {
  for (std::size_t i = 0; i < legal().vertical.size(); ++i) {
    wiring laid = legal();
    wire& w = laid.vertical[i];
    // Through to the other edge, where another net's pin, or none, is.
    const int net = w.net;
    w.first_row = 0;
    w.last_row = laid.tracks + 1;
    const bool has_both = example().top[w.first_column] == net && example().bottom[w.first_column] == net;
    EXPECT_EQ(trouble_of(laid, example()).empty(), has_both) << i;
  }
  for (std::size_t i = 0; i < legal().horizontal.size(); ++i) {
    wiring laid = legal();
    laid.horizontal[i].net = laid.horizontal[i].net % 72 + 1;
    EXPECT_NE(trouble_of(laid, example()), "") << i;
  }
  wiring laid = legal();
  wire other = laid.horizontal[0];
  other.net = laid.horizontal[1].net;
  laid.horizontal.push_back(other);
  EXPECT_TRUE(is_refused(laid, fmt::format("nets {} and {} touch on the horizontal layer of pair {}, at row {}",
                                           laid.horizontal[0].net, other.net, other.pair, other.first_row)));
}

TEST(Checker, RefusesWhatIsOutside) {
  const auto with = [](auto damage) {
    wiring laid = legal();
    damage(laid);
    return laid;
  };
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.horizontal[0].pair = 2; }), "expected one inside the channel"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.horizontal[0].pair = -1; }), "expected one inside the channel"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.horizontal[0].last_column = 174; }), "inside the channel"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.horizontal[0].first_row = w.horizontal[0].last_row = 0; }), "inside"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { ++w.horizontal[0].last_row; }), "expected one inside the channel"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.vertical[0].last_row = 14; }), "expected one inside the channel"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.vertical[0].first_row = -1; }), "expected one inside the channel"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.vias[0].row = 13; }), "expected one on a track"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.vias[0].column = 174; }), "expected one on a track"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.horizontal[0].net = 73; }), "net 73, which has no pins"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { w.horizontal[0].net = 0; }), "net 0, which has no pins"));
  EXPECT_TRUE(is_refused(with([](wiring& w) { --w.tracks; }), ""));
  EXPECT_TRUE(is_refused(wiring{}, "no wire comes to the pin of net 2 on the upper edge at column 0"));
}

bool keeps_constraints(const std::vector<net>& nets, const std::vector<place>& places) {
  for (std::size_t i = 0; i < nets.size(); ++i) {
    for (const neighbour& p : nets[i].neighbours) {
      if (places[i].pair != places[p.net].pair) continue;
      if (places[i].track == places[p.net].track) return false;
      if (p.below && places[p.net].track < places[i].track) return false;
    }
  }
  return true;
}

TEST(Checker, AgreesWithTheConstraints) {
  tsubu::random_source random(7);
  int accepted = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const pins given = random_pins(4, 9, seed);
    const std::vector<net> nets = nets_of(given);
    constexpr int tracks = 4;
    std::vector<place> places;
    places.reserve(nets.size());
    for (std::size_t i = 0; i < nets.size(); ++i)
      places.push_back(
          {static_cast<std::uint16_t>(random.below(tracks)), static_cast<std::uint16_t>(random.below(pairs))});
    const bool is_legal = keeps_constraints(nets, places);
    EXPECT_EQ(trouble_of(lay_wires(given, nets, places, tracks), given).empty(), is_legal) << "seed " << seed;
    ++(is_legal ? accepted : refused);
  }
  EXPECT_GT(accepted, 400);
  EXPECT_GT(refused, 400);
}

}  // namespace
}  // namespace channel
