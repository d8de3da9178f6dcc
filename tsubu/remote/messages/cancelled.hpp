// What awaiting something that was cancelled throws. It keeps its type and what it says on its way to another PE.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "tsubu/base/types.hpp"

namespace tsubu {

class cancelled : public std::runtime_error {
 public:
  enum class reason : std::uint8_t { asked, time_up };

  cancelled(pe_id pe, std::string file, std::uint32_t line, reason why = reason::asked);
  // As one comes from another PE: with its what(), before serialize() brings the rest.
  explicit cancelled(const std::string& what) : std::runtime_error(what) {}

  // Who cancelled it, and where in the source; if the time was up, who had set that time.
  pe_id pe() const { return pe_; }
  const std::string& file() const { return file_; }
  std::uint32_t line() const { return line_; }
  bool time_up() const { return why_ == reason::time_up; }

  // Beside the text, on the way to another PE.
  template <class A>
  void serialize(A& a) {
    auto why = static_cast<std::uint8_t>(why_);
    a(pe_, file_, line_, why);
    why_ = why == 0 ? reason::asked : reason::time_up;
  }

 private:
  pe_id pe_ = no_pe;
  std::string file_;
  std::uint32_t line_ = 0;
  reason why_ = reason::asked;
};

}  // namespace tsubu
