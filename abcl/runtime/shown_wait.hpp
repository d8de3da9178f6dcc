// How reports of deadlocks speak of objects and what they wait for, in both back ends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace abcl {

// `number` is the back end's.
inline std::string shown_object(std::string_view of_class, const std::string& number) {
  return std::string(of_class) + " object " + number;
}

// Whose reply is waited for.
inline std::string shown_asked(const std::string& number, int pe) {
  return "of object " + number + " on PE " + std::to_string(pe);
}

// Messages that somebody has who waits for one that fits.
inline std::string shown_held(std::size_t count, std::string_view first) {
  if (count == 0) return {};
  const std::string how_many =
      count == 1 ? "1 message that does not fit, " : std::to_string(count) + " messages that do not fit, the first ";
  return "it has " + how_many + std::string(first);
}

inline std::string shown_left(const std::string& object) {
  return object + ": its clause is left by (non-resume) when its wait ends";
}

}  // namespace abcl
