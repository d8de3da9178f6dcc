// A PE of this thread that has ended, and destroys what it has kept: its objects and the values of pe_locals.
#pragma once

namespace tsubu::remote {

// For as long as one destroys.
class ended_pe {
 public:
  ended_pe();
  ended_pe(const ended_pe&) = delete;
  ended_pe& operator=(const ended_pe&) = delete;
  ~ended_pe();
  static bool is_here();
};

}  // namespace tsubu::remote
