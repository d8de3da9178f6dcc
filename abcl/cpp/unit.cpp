#include "abcl/cpp/unit.hpp"

#include <fmt/format.h>

#include "abcl/cpp/spelling.hpp"

namespace abcl::cpp {

std::string site_table::add(const source& from, int line, std::string_view in, std::string_view message,
                            std::string_view awaited) {
  const std::string last = awaited.empty() ? std::string() : fmt::format(", {}", string_literal(awaited));
  const std::string row =
      fmt::format("{{\"{}\", {}, \"{}\", \"{}\"{}}}", escaped(from.name()), line, in, escaped(message), last);
  const auto [found, is_new] = numbers_.emplace(row, rows_.size());
  if (is_new) rows_.push_back(row);
  return fmt::format("sites[{}]", found->second);
}

}  // namespace abcl::cpp
