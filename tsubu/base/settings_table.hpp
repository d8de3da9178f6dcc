// The settings that there are: their names, what they say, what they set.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tsubu/base/settings.hpp"

namespace tsubu::detail {

struct setting {
  std::string_view name;   // "pes": option --tsubu-pes, variable TSUBU_PES
  std::string_view value;  // how its value is shown in the help
  std::string_view help;
  void (*set)(settings&, std::string_view value, const std::string& source);
  setting_scope scope = setting_scope::any_job;
  // Variables that describe the computer stay set for programs that are not of that scope.
  bool of_computer = false;
};

// All of them, in the order in which the help has them.
std::span<const setting> all_settings();

}  // namespace tsubu::detail
