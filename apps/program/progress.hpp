// Shows that a long run is alive: on a terminal in one line that updates, elsewhere in a line every ten seconds.
// A run that ends before the first line is due shows nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace program {

class progress {
 public:
  // PE 0 shows; on other PEs nothing happens.
  explicit progress(std::string_view name);
  ~progress();  // a line that updates is wiped out
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // `done` of `of` steps of `what` are done. Local; reads the clock, so not for the innermost loop.
  void at(std::string_view what, std::int64_t done, std::int64_t of);
  // A part of the run begins that cannot tell how far it is; told on a terminal only.
  void begin(std::string_view what);

 private:
  void show(const std::string& text);

  std::string name_;
  bool here_;
  bool terminal_;
  bool shown_ = false;
  std::int64_t due_ns_;
};

}  // namespace program
