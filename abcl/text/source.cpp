#include "abcl/text/source.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace abcl {

source::source(std::string name, std::string text, std::uint32_t base)
    : name_(std::move(name)), text_(std::move(text)), base_(base), line_begins_{base} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_begins_.push_back(base_ + static_cast<std::uint32_t>(i + 1));
  }
}

place source::place_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const auto line = static_cast<int>(after - line_begins_.begin());
  return {line, width_of(text({begin_of_line(line), offset})) + 1};
}

std::string_view source::line(int number) const {
  std::string_view rest = text({begin_of_line(number), end()});
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

const source& sources::add(std::string name, std::string text) {
  const std::uint64_t base = all_.empty() ? 0 : std::uint64_t{all_.back().end()} + 1;
  if (base + text.size() >= std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("the sources of a program have 4 GiB at most");
  return all_.emplace_back(std::move(name), std::move(text), static_cast<std::uint32_t>(base));
}

const source& sources::of(std::uint32_t offset) const {
  const auto after =
      std::upper_bound(all_.begin(), all_.end(), offset, [](std::uint32_t o, const source& s) { return o < s.base(); });
  return *std::prev(after);
}

int width_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace abcl
