#include "tsubu/containers/saving/saved_state.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <utility>

namespace tsubu::containers {
namespace {

constexpr std::string_view list_begins = "tsubu saved containers, version ";
constexpr std::string_view version_and_order =
    std::endian::native == std::endian::little ? "1, little-endian" : "1, big-endian";
constexpr std::string_view list_ends = "checksum ";

std::string hexadecimal(std::uint64_t of) {
  std::array<char, 16> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), of, 16).ptr;
  return std::string(static_cast<const char*>(digits.data()), end);
}

std::uint64_t checksum_of(std::string_view text) {
  checksum sum;
  sum.add(text.data(), text.size());
  return sum.value();
}

// The text in front of the first such letter, which is taken away with it.
std::string_view take_to(char letter, std::string_view& text) {
  const std::size_t end = text.find(letter);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return taken;
}

bool take_number(std::string_view& line, std::uint64_t& found, int base = 10) {
  const std::string_view digits = take_to(' ', line);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), found, base);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool read_part_line(std::string_view line, saved_part& part) {
  return take_number(line, part.elements) && take_number(line, part.bytes) && take_number(line, part.checksum, 16) &&
         line.empty();
}

// What stands between the first line and the last: its bytes are those that were written.
bool read_body(std::string_view text, saved_state& state) {
  std::string_view first = take_to('\n', text);
  std::uint64_t parts = 0;
  if (!take_number(first, state.number) || !take_number(first, parts) || !first.empty()) return false;
  while (!text.empty()) {
    saved_container& container = state.containers.emplace_back();
    container.type = take_to('\n', text);
    for (std::uint64_t part = 0; part < parts; ++part) {
      if (!read_part_line(take_to('\n', text), container.parts.emplace_back())) return false;
    }
  }
  return true;
}

}  // namespace

std::string text_of(const saved_state& state) {
  const std::size_t parts = state.containers.empty() ? 0 : state.containers.front().parts.size();
  std::string text(list_begins);
  text += std::string(version_and_order) + '\n';
  text += std::to_string(state.number) + ' ' + std::to_string(parts) + '\n';
  for (const saved_container& container : state.containers) {
    text += container.type + '\n';
    for (const saved_part& part : container.parts) {
      text +=
          std::to_string(part.elements) + ' ' + std::to_string(part.bytes) + ' ' + hexadecimal(part.checksum) + '\n';
    }
  }
  const std::uint64_t sum = checksum_of(text);
  return text + std::string(list_ends) + hexadecimal(sum) + '\n';
}

bool read_state(std::string_view text, saved_state& state, std::string& why) {
  if (!text.starts_with(list_begins)) {
    why = "is no list of saved containers: it does not begin with \"" + std::string(list_begins) + '"';
    return false;
  }
  const std::size_t last = text.rfind(list_ends);
  std::uint64_t sum = 0;
  std::string_view last_line = last == text.npos ? std::string_view() : text.substr(last + list_ends.size());
  std::string_view digits = take_to('\n', last_line);
  if (!text.ends_with('\n') || !last_line.empty() || !take_number(digits, sum, 16) ||
      sum != checksum_of(text.substr(0, last))) {
    why = "is damaged: its last line is not the checksum of the others";
    return false;
  }
  std::string_view body = text.substr(list_begins.size(), last - list_begins.size());
  if (const std::string_view version = take_to('\n', body); version != version_and_order) {
    why =
        "is of version " + std::string(version) + ", and this program reads version " + std::string(version_and_order);
    return false;
  }
  if (read_body(body, state)) return true;
  why = "is damaged, though its checksum is right";
  return false;
}

}  // namespace tsubu::containers
