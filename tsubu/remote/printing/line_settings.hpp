// How this PE prints lines and shows progress, and the one place where lines leave the process.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/remote/printing/say.hpp"

namespace tsubu::remote {

struct line_settings {
  log_level least = log_level::warning;
  bool with_pe = false;    // in front of what say() prints
  bool with_time = false;  // likewise
  bool progress = false;
  bool on_terminal = false;            // progress is a line there that changes
  std::int64_t progress_every_ns = 0;  // between two pictures of it
};

// The settings of the PE that runs on this thread; PEs that share a thread have the same.
void configure_lines(const line_settings& settings);
const line_settings& lines_configured();

enum class stream : std::uint8_t { output, error };
// Writes `text` as it is, whole: what other PEs of the process write comes before or behind it, and a line of progress
// on the terminal is taken away first. Ends the job if it cannot be written.
void write_whole(stream to, const std::string& text);

// A line of progress on the terminal, in place of the one before; "" takes it away.
void draw_on_terminal(const std::string& text);

}  // namespace tsubu::remote
