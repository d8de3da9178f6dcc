// Promise: a picture shows each wire, via and pin once. Method: they are counted.
#include "apps/channel/picture.hpp"

#include <gtest/gtest.h>

namespace channel {
namespace {

std::size_t times(const std::string& what, const std::string& in) {
  std::size_t count = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++count;
  return count;
}

TEST(Picture, ShowsEachPiece) {
  const pins given{.top = {1, 2, 0}, .bottom = {0, 1, 2}};
  const std::vector<net> nets = nets_of(given);
  const wiring laid = lay_wires(given, nets, {{0, 0}, {0, 1}}, 1);
  const std::string drawn = draw(laid, given);
  EXPECT_TRUE(drawn.starts_with("<svg "));
  EXPECT_TRUE(drawn.ends_with("</svg>\n"));
  EXPECT_EQ(times("<path ", drawn), laid.horizontal.size() + laid.vertical.size());
  EXPECT_EQ(times("<rect ", drawn), laid.vias.size() + 1);  // and the background
  EXPECT_EQ(times("<text ", drawn), given.count());
  EXPECT_EQ(times("<g ", drawn), times("</g>", drawn));
}

}  // namespace
}  // namespace channel
