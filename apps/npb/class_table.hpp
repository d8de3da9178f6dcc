// Finding a problem class by the letter that a user typed.
#pragma once

#include <cctype>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace npb {

// The entry whose `name` is the letter `name`, in either case.
// Throws std::invalid_argument: "unknown CG class 'Q': expected one of S, W, A".
template <typename Class>
const Class& class_named(std::span<const Class> classes, std::string_view name, std::string_view benchmark) {
  std::string known;
  for (const Class& entry : classes) {
    if (name.size() == 1 && std::toupper(static_cast<unsigned char>(name[0])) == entry.name) return entry;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  throw std::invalid_argument("unknown " + std::string(benchmark) + " class '" + std::string(name) +
                              "': expected one of " + known);
}

}  // namespace npb
