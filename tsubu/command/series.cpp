#include "tsubu/command/series.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"

namespace tsubu::command {
namespace {

constexpr int most_pes = 1'000'000;
constexpr std::size_t most_runs = 1000;

// What continues `from` by `step`, up to `last`; nothing if that is not one of them.
template <class Step>
std::optional<std::vector<int>> continued(int from, int last, Step step) {
  std::vector<int> more;
  long next = from;
  do {
    next = step(next);
    more.push_back(static_cast<int>(next));
  } while (next < last && more.size() < most_runs);
  if (next != last) return std::nullopt;
  return more;
}

}  // namespace

std::vector<int> series_of(const std::string& what, const std::string& list) {
  const auto refuse = [&](const std::string& text) {
    end_job(exit_code::usage, one_line(fmt::format("{} {}: {}", what, list, text)));
  };
  std::vector<int> all;
  bool dots = false;
  std::stringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "...") {
      if (all.size() < 2 || dots) refuse("two numbers before \"...\" say how to go on");
      dots = true;
      continue;
    }
    int n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error != std::errc{} || end != word.data() + word.size() || n < 1 || n > most_pes) {
      refuse(fmt::format("numbers from 1 to {}, not '{}'", most_pes, word));
    }
    if (!all.empty() && n <= all.back()) refuse(fmt::format("{} comes after {}", n, all.back()));
    if (!std::exchange(dots, false)) {
      all.push_back(n);
      continue;
    }
    const int before = all[all.size() - 2], last = all.back();
    std::optional<std::vector<int>> more;
    if (last % before == 0) more = continued(last, n, [&](long x) { return x * (last / before); });
    if (!more) more = continued(last, n, [&](long x) { return x + (last - before); });
    if (!more) refuse(fmt::format("{}, {} do not go on to {}, by ratio or by difference", before, last, n));
    all.insert(all.end(), more->begin(), more->end());
  }
  if (dots || all.empty()) refuse("a last number is missing");
  if (all.size() > most_runs) refuse(fmt::format("{} runs; {} are the most", all.size(), most_runs));
  return all;
}

}  // namespace tsubu::command
