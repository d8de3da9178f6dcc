#include "tsubu/base/printable.hpp"

#include <cstddef>

namespace tsubu {
namespace {

// How many bytes a character of UTF-8 has that begins with this one; 0 if none does. RFC 3629.
std::size_t length_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

// The character that `text` begins with, and its length; of length 0 if that is no UTF-8.
struct character {
  char32_t code = 0;
  std::size_t length = 0;
};

character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = length_by_first(byte(0));
  if (length == 0 || length > text.size()) return {};
  if (length == 1) return {byte(0), 1};
  char32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t least_of_length[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least_of_length[length] || code > 0x10ffff || surrogate ? character{} : character{code, length};
}

// Does a terminal do something else with it than to show it? Control characters (C0, DEL, C1), the ends of lines and
// paragraphs that Unicode adds, what turns the direction of the text around it, and what has no width at all: a byte
// order mark is one.
bool acts(char32_t code) {
  const auto from_to = [code](char32_t first, char32_t last) { return code >= first && code <= last; };
  return code < 0x20 || from_to(0x7f, 0x9f) || code == 0x61c || from_to(0x200b, 0x200f) || from_to(0x2028, 0x202e) ||
         from_to(0x2060, 0x206f) || code == 0xfeff || from_to(0xfff9, 0xfffb);
}

void append_byte(std::string& to, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (c == '\n') {
    to += "\\n";
  } else if (c == '\t') {
    to += "\\t";
  } else {
    to.append("\\x").append(1, digits[code / 16]).append(1, digits[code % 16]);
  }
}

// What can be read stays; `instead` appends what stands for the other characters.
std::string shown(std::string_view text, const auto& instead) {
  std::string all;
  all.reserve(text.size());
  while (!text.empty()) {
    const character next = first_of(text);
    const std::size_t length = next.length == 0 ? 1 : next.length;
    const std::string_view bytes = text.substr(0, length);
    text.remove_prefix(length);
    if (next.length == 0 || acts(next.code)) {
      instead(all, bytes);
    } else {
      all += bytes;
    }
  }
  return all;
}

void append_bytes(std::string& to, std::string_view bytes) {
  for (const char c : bytes) append_byte(to, c);
}

}  // namespace

std::string one_line(std::string_view text) { return shown(text, append_bytes); }

std::string printable_lines(std::string_view text) {
  return shown(text, [](std::string& to, std::string_view bytes) {
    if (bytes == "\n") {
      to += bytes;
    } else {
      append_bytes(to, bytes);
    }
  });
}

std::string masked_line(std::string_view text) {
  return shown(text, [](std::string& to, std::string_view bytes) { to += bytes == "\t" ? ' ' : '?'; });
}

}  // namespace tsubu
