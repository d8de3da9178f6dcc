// How deep calls of functions may be nested, in both back ends.
#pragma once

#include <cstdint>
#include <string_view>

namespace abcl {

inline constexpr std::int64_t most_nested_calls = 1'000'000;
inline constexpr std::string_view nested_too_deep = "calls are nested too deep";

}  // namespace abcl
