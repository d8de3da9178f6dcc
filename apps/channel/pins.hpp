// The input of a channel router: pins along the upper and the lower edge of a channel, each of them a net's.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace channel {

// By column, the number of the net that has a pin there, from 1 on; 0: there is none.
struct pins {
  std::vector<int> top;
  std::vector<int> bottom;

  std::size_t columns() const { return top.size(); }
  std::size_t count() const;
  friend bool operator==(const pins&, const pins&) = default;
};

inline constexpr int most_columns = 100'000;
inline constexpr int most_nets = 10'000;

// Two lines, of the upper and of the lower edge: a number for each column. Lines that begin with # are comments. `name`
// stands for the file in messages. Throws text::file_error; a net of one pin is an error, too.
pins read_pins(std::istream& in, const std::string& name);

// Deutsch's difficult example (Deutsch, A dogleg channel router, DAC 1976): 72 nets.
pins deutsch();

// `nets` nets of two to eight pins, most of them within a quarter of the channel; no net must be above and below
// another. The same for the same seed. columns >= 2 nets, nets >= 1.
pins random_pins(int nets, int columns, std::uint64_t seed);

}  // namespace channel
