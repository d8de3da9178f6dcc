// What our own benchmark programs share.
#pragma once

#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace bench {

// As parse_options(argc, argv, ...); on every PE alike.
inline void parse_options(const tsubu::arguments& args, const std::string& what, const std::vector<option>& options) {
  std::vector<std::string> words(args.begin(), args.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  parse_options(static_cast<int>(words.size()), argv.data(), what, options);
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
