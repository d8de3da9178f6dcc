// The functions that every ABCL/ST program has, as abcl/check/library.hpp lists them. What cannot be done ends the job,
// with the place of the call, which is the last argument. (The standard input has a header of its own.)
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "abcl/runtime/arithmetic.hpp"
#include "abcl/runtime/bits.hpp"
#include "abcl/runtime/site.hpp"
#include "abcl/runtime/values.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace abcl::library {

// A text as errors show it: the beginning, if it is long.
inline std::string shown(const std::string& text) {
  constexpr std::size_t most = 40;
  return '"' + (text.size() <= most ? text : text.substr(0, most) + "...") + '"';
}

// ---- texts

inline constexpr std::string_view blanks = " \t\n\r\f\v";

inline std::string substring(const std::string& text, integer from, integer to, const site& at) {
  const auto size = static_cast<integer>(text.size());
  if (from < 0 || to < from || to > size) [[unlikely]]
    fail(at, "bytes " + std::to_string(from) + " to " + std::to_string(to) + " of a Str of " + std::to_string(size));
  return text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
}

inline integer index_of(const std::string& text, const std::string& part) {
  const std::size_t found = text.find(part);
  return found == text.npos ? -1 : static_cast<integer>(found);
}

inline std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

inline array<std::string> split(const std::string& text, const std::string& separator, const site& at) {
  if (separator.empty()) [[unlikely]]
    fail(at, "an empty separator does not split a Str");
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != text.npos; begin = end + separator.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return array<std::string>::of(std::move(parts));
}

inline array<std::string> words(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(blanks, begin)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return array<std::string>::of(std::move(parts));
}

inline std::string join(const array<std::string>& parts, const std::string& separator) {
  std::string all;
  for (const std::string& part : parts) {
    if (&part != parts.begin()) all += separator;
    all += part;
  }
  return all;
}

// ---- texts that are numbers, all of them: no spaces, and nothing behind

template <class T>
std::optional<T> number_of(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (trouble != std::errc() || end != text.data() + text.size()) return std::nullopt;
  // What from_chars has besides: nan, inf.
  if (text.find_first_of("nN") != text.npos) return std::nullopt;
  return value;
}
inline bool int_p(const std::string& text) { return number_of<integer>(text).has_value(); }
inline bool float_p(const std::string& text) { return number_of<double>(text).has_value(); }
inline integer parse_int(const std::string& text, const site& at) {
  const std::optional<integer> value = number_of<integer>(text);
  if (!value) [[unlikely]]
    fail(at, shown(text) + " is no Int");
  return *value;
}
inline double parse_float(const std::string& text, const site& at) {
  const std::optional<double> value = number_of<double>(text);
  if (!value) [[unlikely]]
    fail(at, shown(text) + " is no Float");
  return *value;
}

// ---- files

inline std::string read_file(const std::string& path, const site& at) {
  std::string why;
  std::optional<std::string> text = tsubu::read_file(path, why);
  if (!text) [[unlikely]]
    fail(at, path + " cannot be read: " + why);
  return *std::move(text);
}

inline void write_file(const std::string& path, const std::string& text, const site& at) {
  const std::string why = tsubu::write_file({path, {}, true}, text);
  if (!why.empty()) [[unlikely]]
    fail(at, path + " cannot be written: " + why);
}

inline void append_file(const std::string& path, const std::string& text, const site& at) {
  std::FILE* const file = std::fopen(path.c_str(), "a");
  bool good = file != nullptr;
  if (good) {
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    good = std::fclose(file) == 0 && good;
  }
  if (!good) [[unlikely]]
    fail(at, path + " cannot be written: " + std::generic_category().message(errno));
}

// By stat, for <filesystem> would cost each program that has this half a second of compile time.
inline bool file_p(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && !S_ISDIR(found.st_mode);
}

// ---- time and chance

inline double clock() { return static_cast<double>(tsubu::now_ns()) * 1e-9; }

// Each node has a generator. Runs repeat: on a simulated machine each --tsubu-seed has numbers of its own, and
// elsewhere each node begins with the same ones in each run, unless the program says (random-seed n).
struct chance {
  tsubu::random_source source{tsubu::simulated != nullptr ? tsubu::fresh_seed()
                                                          : static_cast<std::uint64_t>(tsubu::this_pe())};
};
inline tsubu::pe_local<chance> chances;

inline integer random(integer n, const site& at) {
  if (n <= 0) [[unlikely]]
    fail(at, "a random number below " + std::to_string(n));
  return static_cast<integer>(chances->source.below(static_cast<std::uint64_t>(n)));
}
inline double random_float() {
  constexpr int bits = 53;
  return static_cast<double>(chances->source() >> (64 - bits)) / static_cast<double>(std::uint64_t{1} << bits);
}
inline void random_seed(integer seed) { chances->source = tsubu::random_source(static_cast<std::uint64_t>(seed)); }

}  // namespace abcl::library
