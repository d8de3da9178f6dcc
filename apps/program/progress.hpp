// What a long run is doing, and how far it is: one bar after the other (tsubu/remote/printing/progress.hpp), each named
// after the program and its part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tsubu/remote/printing/progress.hpp"

namespace program {

class progress {
 public:
  explicit progress(std::string_view name) : name_(name) {}

  // `done` of `of` steps of `what` are done by this PE; those of all PEs add up. Local, cheap.
  void at(std::string_view what, std::int64_t done, std::int64_t of) {
    if (what != what_) begin(what, of);
    bar_->add(done - bar_->done());
  }
  // The same of steps that all PEs take together: those of PE 0 count.
  void step(std::string_view what, std::int64_t done, std::int64_t of);
  // A part of the run begins that cannot tell how far it is.
  void begin(std::string_view what) { begin(what, 0); }

 private:
  void begin(std::string_view what, std::int64_t of) {
    bar_.emplace(name_ + ": " + std::string(what), of);
    what_ = what;
  }

  std::string name_;
  std::string what_;
  std::optional<tsubu::progress> bar_;
};

}  // namespace program
