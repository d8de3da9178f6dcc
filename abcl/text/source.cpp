#include "abcl/text/source.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace abcl {

namespace {

constexpr std::size_t block_bytes = 256;

}  // namespace

source::source(std::string name, std::string text, std::uint32_t base)
    : name_(std::move(name)), text_(std::move(text)), base_(base), line_begins_{base} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_begins_.push_back(base_ + static_cast<std::uint32_t>(i + 1));
  }
  std::uint32_t before = 0;
  for (std::size_t i = 0; i <= text_.size(); i += block_bytes) {
    before_block_.push_back(before);
    before += static_cast<std::uint32_t>(width_of(std::string_view(text_).substr(i, block_bytes)));
  }
}

std::uint32_t source::characters_before(std::uint32_t offset) const {
  const std::size_t block = (offset - base_) / block_bytes;
  const auto begin = base_ + static_cast<std::uint32_t>(block * block_bytes);
  return before_block_[block] + static_cast<std::uint32_t>(width_of(text({begin, offset})));
}

place source::place_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const auto line = static_cast<int>(after - line_begins_.begin());
  return {line, static_cast<int>(characters_before(offset) - characters_before(begin_of_line(line))) + 1};
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
