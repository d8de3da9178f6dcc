// Where in an ABCL/ST program something is done: what an error names.
//
// The compiler gives each place that can fail a number, and the program a table of them:
//
//   inline constexpr abcl::site sites[] = {{"fork.abcl", 12, "Fork", "[:take (@ [])]"}, ...};
//
// A reply carries the number of its place, so that a wrong one can be told where it was sent.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tsubu/base/check.hpp"

namespace abcl {

struct site {
  const char* file;
  std::uint32_t line;
  const char* of_class;  // "" in a function
  const char* message;   // that is handled, as its type is written; "" in a class's body
};

// The program's; set before the job starts.
inline constinit std::span<const site> all_sites;

inline std::uint32_t number_of(const site& s) { return static_cast<std::uint32_t>(&s - all_sites.data()); }

// "fork.abcl:12: Fork [:take (@ [])]"
inline std::string text_of(const site& s) {
  std::string text = std::string(s.file) + ':' + std::to_string(s.line);
  if (s.of_class[0] != '\0') text.append(": ").append(s.of_class);
  if (s.message[0] != '\0') text.append(" ").append(s.message);
  return text;
}
inline std::string text_of(std::uint32_t number) {
  return number < all_sites.size() ? text_of(all_sites[number]) : std::string("an unknown place");
}

// Ends the job, with a line that names the place.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const site& at, std::string_view what) {
  tsubu::end_job(tsubu::exit_code::failed, text_of(at).append(": ").append(what));
}

}  // namespace abcl
