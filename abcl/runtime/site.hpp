// Where in an ABCL/ST program something is done: what an error names.
//
// The compiler gives each place that can fail a number, and the program a table of them:
//
//   inline constexpr abcl::site sites[] = {{"fork.abcl", 12, "Fork", "[:take (@ [])]"}, ...};
//
// A reply carries the number of its place, so that a wrong one can be told where it was sent. A program of C++ may have
// several tables, one for each header of classes that it includes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tsubu/base/check.hpp"

namespace abcl {

struct site {
  const char* file;
  std::uint32_t line;
  const char* of_class;      // "" in a function
  const char* message;       // that is handled, as its type is written; "" in a class's body
  const char* awaited = "";  // what is waited for there, for reports of deadlocks; "" else
};

// Those of the program, made known before the job starts; so they are the same in each process of it.
struct site_tables {
  static constexpr std::size_t most = 256;
  static constexpr std::uint32_t index_bits = 24;

  std::array<std::span<const site>, most> tables;
  std::size_t used = 0;
};
inline constinit site_tables all_sites{};

// Makes a table known, once. It lives as long as the program.
inline bool add_sites(std::span<const site> table) {
  for (std::size_t i = 0; i < all_sites.used; ++i) {
    if (all_sites.tables[i].data() == table.data()) return true;
  }
  tsubu::require(all_sites.used < site_tables::most, "more than {} programs in ABCL/ST in one", site_tables::most);
  all_sites.tables[all_sites.used++] = table;
  return true;
}

inline constexpr std::uint32_t no_site = ~std::uint32_t{0};

inline std::uint32_t number_of(const site& s) {
  for (std::size_t i = 0; i < all_sites.used; ++i) {
    const std::span<const site> table = all_sites.tables[i];
    // As numbers: pointers into two tables have no difference.
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(&s) - reinterpret_cast<std::uintptr_t>(table.data());
    if (offset < table.size_bytes())
      return static_cast<std::uint32_t>(i << site_tables::index_bits | offset / sizeof(site));
  }
  return no_site;
}

// "fork.abcl:12: Fork [:take (@ [])]"
inline std::string text_of(const site& s) {
  std::string text = std::string(s.file) + ':' + std::to_string(s.line);
  if (s.of_class[0] != '\0') text.append(": ").append(s.of_class);
  if (s.message[0] != '\0') text.append(" ").append(s.message);
  return text;
}
inline std::string text_of(std::uint32_t number) {
  const std::size_t table = number >> site_tables::index_bits;
  const std::size_t index = number & ((std::uint32_t{1} << site_tables::index_bits) - 1);
  const bool known = table < all_sites.used && index < all_sites.tables[table].size();
  return known ? text_of(all_sites.tables[table][index]) : std::string("an unknown place");
}

// Throws, for who goes on after errors, as the prompt of `abcl repl` does; null: nobody does. Set as the job begins.
using error_handler = void (*)(const site& at, std::string_view what);
inline constinit error_handler instead_of_ending = nullptr;

// Ends the job, with a line that names the place.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const site& at, std::string_view what) {
  if (instead_of_ending != nullptr) instead_of_ending(at, what);
  tsubu::end_job(tsubu::exit_code::failed, text_of(at).append(": ").append(what));
}

}  // namespace abcl
