// Numbers in values and arguments, read and written as the protocol's own server does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

// An integer in the one way that it is written: no sign but a minus, no leading zeros, no blanks.
std::optional<std::int64_t> integer_in(std::string_view text);

// A number as strtold() reads it, all of it; infinities are, what is no number is not.
std::optional<long double> float_in(std::string_view text);

// With up to 17 digits behind the point, and no more of them than there are.
std::string text_of(long double number);

}  // namespace kv
