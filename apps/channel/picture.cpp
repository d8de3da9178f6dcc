#include "apps/channel/picture.hpp"

#include <fmt/core.h>

#include <array>

namespace channel {
namespace {

constexpr int column_width = 14;  // in the units of the picture
constexpr int row_height = 14;
constexpr int margin = 24;
constexpr int apart = 4;  // the two pairs of layers
constexpr int half_via = 2;
constexpr std::array colours = {"#1565c0", "#e65100"};

int x_of(std::size_t column, int pair) { return margin + static_cast<int>(column) * column_width + pair * apart; }
int y_of(int row, int pair) { return margin + row * row_height + pair * apart; }

std::string line_of(const wire& w) {
  return fmt::format("<path d=\"M{} {}L{} {}\"/>\n", x_of(w.first_column, w.pair), y_of(w.first_row, w.pair),
                     x_of(w.last_column, w.pair), y_of(w.last_row, w.pair));
}

std::string label(std::size_t column, int y, int net) {
  if (net == 0) return {};
  return fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x_of(column, 0), y, net);
}

std::string draw_pair(const wiring& laid, int pair) {
  const char* colour = colours[static_cast<std::size_t>(pair)];
  std::string drawn = fmt::format("<g stroke=\"{}\" stroke-width=\"1.5\" stroke-linecap=\"square\">\n", colour);
  for (const auto* wires : {&laid.horizontal, &laid.vertical}) {
    for (const wire& w : *wires) {
      if (w.pair == pair) drawn += line_of(w);
    }
  }
  drawn += fmt::format("</g>\n<g fill=\"{}\">\n", colour);
  for (const via& v : laid.vias) {
    if (v.pair != pair) continue;
    drawn += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", x_of(v.column, pair) - half_via,
                         y_of(v.row, pair) - half_via, 2 * half_via, 2 * half_via);
  }
  return drawn + "</g>\n";
}

}  // namespace

std::string draw(const wiring& laid, const pins& given) {
  const int width = x_of(given.columns(), 0) + margin, bottom = y_of(laid.tracks + 1, 0);
  std::string drawn = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"7\" "
      "text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, bottom + margin);
  for (int pair = 0; pair < pairs; ++pair) drawn += draw_pair(laid, pair);
  constexpr int above = 4, below = 14;
  for (std::size_t column = 0; column < given.columns(); ++column) {
    drawn += label(column, y_of(0, 0) - above, given.top[column]);
    drawn += label(column, bottom + below, given.bottom[column]);
  }
  return drawn + "</svg>\n";
}

}  // namespace channel
