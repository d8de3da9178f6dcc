// TOML as the library toml11 reads it. Its versions 3 and 4 have other names for the same, and other words for what is
// wrong: what differs stays in toml_library.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tsubu/sim/toml_file.hpp"

namespace tsubu::sim {

// Why a text is not TOML.
struct toml_trouble {
  std::int64_t line = 0;  // from 1; 0: not known
  bool twice = false;     // what is there has been said before
  std::string why;        // the library's words; each version has its own
};

// The text's table, or why there is none; `file` stands for the text in the library's words.
std::optional<toml_value> parse_by_library(const std::string& text, const std::string& file, toml_trouble& trouble);

}  // namespace tsubu::sim
