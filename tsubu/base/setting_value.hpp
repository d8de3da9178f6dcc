// The value of a setting, from what the user has written; what is no such value ends the job. `source` is the option or
// variable that says it.
#pragma once

#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tsubu::detail {

[[noreturn]] void refuse(const std::string& message);

template <class N>
N number(std::string_view text, N least, N most, const std::string& source, const char* what) {
  N n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least || n > most) {
    refuse(source + " needs " + what + " from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
           std::string(text) + "'");
  }
  return n;
}

// "65536", "64K", "64M", "2G".
std::size_t bytes(std::string_view text, std::size_t least, const std::string& source);

bool on_or_off(std::string_view text, const std::string& source);

// One of several words.
std::string_view one_of(std::initializer_list<std::string_view> known, std::string_view text,
                        const std::string& source);

// For an option that needs no value.
bool flag(std::string_view text, const std::string& source);

std::string_view file_name(std::string_view text, const std::string& source);

}  // namespace tsubu::detail
