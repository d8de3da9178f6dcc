// What our own benchmark programs share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace bench {

// As read_options(argc, argv, ...); on every PE alike, and PE 0 speaks.
inline std::optional<int> read_options(const tsubu::arguments& args, const std::string& what,
                                       const std::vector<option>& options) {
  std::vector<std::string> words(args.begin(), args.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return read_options(static_cast<int>(words.size()), argv.data(), what, options, tsubu::this_pe() == 0);
}

class stopwatch {
 public:
  double seconds() const { return static_cast<double>(tsubu::now_ns() - start_ns_) * 1e-9; }
  double ticks_taken() const { return static_cast<double>(tsubu::ticks() - start_ticks_); }

 private:
  std::int64_t start_ns_ = tsubu::now_ns();
  std::uint64_t start_ticks_ = tsubu::ticks();
};

}  // namespace bench
