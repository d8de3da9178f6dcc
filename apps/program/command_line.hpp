// Reading a program's own options; Tsubu's are taken out before the program starts.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>

#include "tsubu/run/run.hpp"

namespace program {

// Exit codes, beside 0 for a run whose answer is right.
inline constexpr int wrong_answer = 1;
inline constexpr int bad_input = 2;

// Every PE reads the same words, so all come to the same end; PE 0 prints the help, or one line about what is wrong.
// Local. Returns the code to end with, or nothing if the program is to go on.
std::optional<int> read_options(CLI::App& options, const tsubu::arguments& words);

// "NAME: WHAT" on the standard error, from PE 0 only. Returns the code to end with.
int complain(std::string_view name, std::string_view what);

}  // namespace program
