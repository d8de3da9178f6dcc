#include "tsubu/collection/report.hpp"

#include <cstdio>

#include "tsubu/object/object_base.hpp"

namespace tsubu::collection {

void collection_account::cycle_begins() {
  ++cycles_;
  ended_in_cycle_ = 0;
  pauses_of_cycle_ = {};
  for (auto& [number, of] : by_class_) of.marked = 0;
}

void collection_account::add(const cycle_report& of_pe) {
  for (const class_account& of : of_pe.by_class) {
    class_account& all = by_class_[of.number];
    all.marked += of.marked;
    all.ended += of.ended;
    ended_in_cycle_ += of.ended;
  }
  ended_at_once_ += of_pe.ended_at_once;
  pauses_.add(of_pe.pauses);
  pauses_of_cycle_.add(of_pe.pauses);
}

std::string collection_account::text() const {
  if (cycles_ == 0) return {};
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-3; };
  const auto in = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  char line[200];
  std::snprintf(
      line, sizeof line,
      "  %llu collections, which looked %llu times; %llu pauses of a PE, 99 %% of them up to %.1f us, the longest "
      "%.1f us\n",
      in(cycles_), in(looks_), in(pauses_.count()), us(pauses_.quantile_ns(0.99)), us(pauses_.longest_ns()));
  std::string lines = line;
  if (ended_at_once_ != 0) {
    std::snprintf(line, sizeof line, "  %llu objects ended without one, when their last strong_ref was dropped\n",
                  in(ended_at_once_));
    lines += line;
  }
  for (const auto& [number, of] : by_class_) {
    const std::uint64_t bytes = objects::type_of_number(number).bytes;
    std::snprintf(line, sizeof line, ": %llu ended, of %llu bytes; the last left %llu, of %llu bytes\n", in(of.ended),
                  in(of.ended * bytes), in(of.marked), in(of.marked * bytes));
    lines += "  " + objects::class_name(number) + line;
  }
  return lines;
}

}  // namespace tsubu::collection
