#include "apps/program/protocol_option.hpp"

#include <fmt/core.h>

#include <cstdint>

namespace program {
namespace {

using namespace tsubu;

std::string all_protocols() {
  std::string names;
  for (std::uint8_t i = 0; i < protocols; ++i) names += (i == 0 ? "" : ", ") + std::string(name_of(protocol{i}));
  return names;
}

std::string check(const std::string& name) {
  if (protocol_named(name)) return {};
  return fmt::format("there is no protocol '{}': expected one of {}", name, all_protocols());
}

}  // namespace

option add_protocol_option(command_line& options, std::string& name, const std::string& whose) {
  const std::string preset = name.empty() ? "" : "; default " + name;
  return options.add_option("--type", name, fmt::format("of {}: {}{}", whose, all_protocols(), preset))
      .check(check)
      .type_name("PROTOCOL");
}

}  // namespace program
