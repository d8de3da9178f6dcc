// Promise: a channel is read as it is written, and what is none is refused with its line; the built-in one is Deutsch's
// difficult example; random ones repeat, and have a legal routing. Method: small texts, and the numbers that the
// example is known by.
#include "apps/channel/pins.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "apps/channel/nets.hpp"
#include "apps/text/line_reader.hpp"

namespace channel {
namespace {

pins read(const std::string& text) {
  std::istringstream in(text);
  return read_pins(in, "a.txt");
}

std::string trouble_with(const std::string& text) {
  try {
    read(text);
  } catch (const text::file_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Pins, AreRead) {
  const pins given = read("# a channel\n\n1 0 2\t1\r\n0 2 +2 0\n# the end\n");
  EXPECT_EQ(given.top, (std::vector{1, 0, 2, 1}));
  EXPECT_EQ(given.bottom, (std::vector{0, 2, 2, 0}));
  EXPECT_EQ(given.columns(), 4U);
  EXPECT_EQ(given.count(), 5U);
}

TEST(Pins, ThatAreNoneAreRefused) {
  EXPECT_EQ(trouble_with(""), "a.txt:1: expected the pins of the upper edge, got the end of the file");
  EXPECT_EQ(trouble_with("1 1\n"), "a.txt:2: expected the pins of the lower edge, got the end of the file");
  EXPECT_EQ(trouble_with("1 1 2\n2 0\n"), "a.txt:2: expected 3 columns, as the upper edge has, got 2");
  EXPECT_EQ(trouble_with("1 1 3\n2 2 0\n"), "a.txt:2: expected two pins at least of net 3, got one");
  EXPECT_EQ(trouble_with("0 0\n0 0\n"), "a.txt:2: expected a net, got none");
  EXPECT_EQ(trouble_with("1 1\n0 0\n2 2\n"), "a.txt:3: expected the end of the file, got '2 2'");
  const std::string number = "expected the number of a net, from 1 to 10000, or 0 for none, got ";
  EXPECT_EQ(trouble_with("1 1\n0 x\n"), "a.txt:2: " + number + "'x'");
  EXPECT_EQ(trouble_with("1 -1\n0 0\n"), "a.txt:1: " + number + "-1");
  EXPECT_EQ(trouble_with("1 10001\n0 0\n"), "a.txt:1: " + number + "10001");
  EXPECT_EQ(trouble_with("1 1.5\n0 0\n"), "a.txt:1: " + number + "'1.5'");
}

TEST(Pins, OfDeutschsExample) {
  const pins given = deutsch();
  EXPECT_EQ(given.columns(), 174U);
  EXPECT_EQ(given.bottom.size(), 174U);
  EXPECT_EQ(given.count(), 301U);
  std::map<int, int> pins_of_net, nets_with;
  for (const auto* edge : {&given.top, &given.bottom}) {
    for (const int net : *edge) {
      if (net != 0) ++pins_of_net[net];
    }
  }
  for (const auto& [net, count] : pins_of_net) ++nets_with[count];
  EXPECT_EQ(nets_with, (std::map<int, int>{{2, 30}, {3, 13}, {4, 3}, {5, 7}, {6, 5}, {7, 5}, {8, 3}, {9, 2}, {12, 4}}));
  const std::vector<net> nets = nets_of(given);
  EXPECT_EQ(nets.size(), 72U);
  EXPECT_EQ(density(nets), 19);
  std::size_t constraints = 0;
  for (const net& n : nets) {
    for (const neighbour& p : n.neighbours) constraints += p.below ? 1 : 0;
  }
  EXPECT_EQ(constraints, 117U);
}

// Takes away nets that nothing is below, until none is left or each has one below it.
bool has_cycle(const std::vector<net>& nets) {
  std::vector<bool> gone(nets.size());
  std::size_t left = nets.size();
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t i = 0; i < nets.size(); ++i) {
      bool is_last = !gone[i];
      for (const neighbour& p : nets[i].neighbours) is_last = is_last && (!p.below || gone[p.net]);
      if (!is_last) continue;
      gone[i] = true;
      --left;
      goes_on = true;
    }
  }
  return left != 0;
}

TEST(Pins, AtRandom) {
  EXPECT_EQ(random_pins(72, 174, 5), random_pins(72, 174, 5));
  EXPECT_NE(random_pins(72, 174, 5), random_pins(72, 174, 6));
  struct size {
    int nets, columns;
  };
  for (const size of : {size{1, 2}, {3, 6}, {30, 60}, {72, 174}, {200, 401}}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const pins given = random_pins(of.nets, of.columns, seed);
      std::string text;
      for (const auto* edge : {&given.top, &given.bottom}) {
        for (const int net : *edge) text += std::to_string(net) + " ";
        text += "\n";
      }
      EXPECT_EQ(read(text), given) << seed;  // so each net has two pins at least
      const std::vector<net> nets = nets_of(given);
      EXPECT_EQ(nets.size(), static_cast<std::size_t>(of.nets)) << seed;
      EXPECT_EQ(given.columns(), static_cast<std::size_t>(of.columns)) << seed;
      EXPECT_FALSE(has_cycle(nets)) << of.nets << " " << seed;
    }
  }
}

}  // namespace
}  // namespace channel
