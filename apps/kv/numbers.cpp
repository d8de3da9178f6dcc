#include "apps/kv/numbers.hpp"

#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace kv {

std::optional<std::int64_t> integer_in(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || (digits[0] == '0' && text.size() > 1)) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<long double> float_in(std::string_view text) {
  std::array<char, 256> ended;  // strtold() wants an end; a longer text is no number that anybody writes
  if (text.empty() || text.size() >= ended.size() || std::isspace(static_cast<unsigned char>(text[0])) != 0)
    return std::nullopt;
  text.copy(ended.data(), text.size());
  ended[text.size()] = '\0';
  char* end = nullptr;
  errno = 0;
  const long double number = std::strtold(ended.data(), &end);
  const bool out_of_range = errno == ERANGE && (std::isinf(number) || number == 0);
  if (end != ended.data() + text.size() || out_of_range || std::isnan(number)) return std::nullopt;
  return number;
}

std::string text_of(long double number) {
  std::array<char, 5120> digits;  // the largest has 4,933 before the point
  const int size = std::snprintf(digits.data(), digits.size(), "%.17Lf", number);
  std::string text(digits.data(), static_cast<std::size_t>(size));
  if (text.find('.') != text.npos) {
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

}  // namespace kv
