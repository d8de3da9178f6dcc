// Where on the sheet everything is: time to y, lifelines to x.
//
// Time is to scale between breaks. It is stretched where more happens than can be read, and broken where nothing
// happens for long; so y never goes back when time goes on, and each tick of the axis tells its time.
#pragma once

#include <vector>

#include "abcl/chart/story.hpp"

namespace abcl::chart {

// Widths of letters are guessed: no font is at hand. In pixels, as all that follows.
inline constexpr double letter_of_message = 6.7, letter_of_name = 7.4;
inline constexpr double head_height = 34, bar_width = 11, bar_shift = 6;

struct sheet {
  struct time_break {
    double y;
    double skipped;  // in units of time
  };
  struct tick {
    double y;
    double at;
  };

  double width = 0, height = 0;  // of all
  double top = 0, bottom = 0;    // between them are the lifelines
  double axis = 0;               // x of the axis of time
  double start = 0;              // x of the start of the program
  std::vector<double> x;         // of each lifeline
  std::vector<double> head;      // the width of each head
  std::vector<double> y;         // of each event
  std::vector<time_break> breaks;
  std::vector<tick> ticks;
};

sheet lay_out(const story& s, double header, double footer);

// A number of the axis, with commas.
std::string shown_time(double at);
// At most that many characters, and not half of one.
std::string shortened(const std::string& text, std::size_t most);
// In characters, for text in UTF-8.
std::size_t length_of(const std::string& text);

}  // namespace abcl::chart
