// Numbers with a unit, as people write them: "1.5 us", "12.5 GB/s".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tsubu::sim {

struct unit {
  std::string_view name;
  double size;
};

// What a quantity may be: its units, its least and largest value in the unit of size 1, and how it is asked for.
struct measure {
  std::span<const unit> units;
  double least, most;
  const char* expected;
};

struct quantity {
  std::optional<double> value;  // in the unit of size 1; none if something is wrong
  std::string wrong;            // which is this: what was read, and why it is no such quantity
};

quantity read_quantity(std::string_view text, const measure& in);

}  // namespace tsubu::sim
