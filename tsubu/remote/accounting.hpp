// The accounts of all PEs: what each handler sent and executed, why batches left, and who waited.
//
// Every packet is counted when its run is closed and when it has been executed, by handler and by PE.
// PE 0 asks all PEs, down the tree and up again, when the job is quiescent, for --tsubu-stats; or when counts do not
// agree although nothing is under way, to say which handler's messages were lost or doubled, and between which PEs.
#pragma once

#include <cstdint>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

class pe;

class accounting {
 public:
  explicit accounting(pe& owner);

  // Print the accounts when the job ends.
  void want() { wanted_ = true; }
  bool wanted() const { return wanted_; }

  // PE 0 only: asks all PEs, and calls `then` when all have answered. Local.
  void collect(void (*then)(pe& here));
  bool asking() const { return answers_left_ != 0; }

  // PE 0, when all have answered.
  void fail_unless_equal() const;  // ends the job if a message was lost or doubled
  void print() const;              // a table, to the standard error

  // By the handlers.
  void ask();
  void answered(pe_id from, const std::vector<std::uint64_t>& numbers);

 private:
  std::vector<std::uint64_t> numbers() const;
  void answer();

  pe& pe_;
  bool wanted_ = false;
  std::int64_t began_ns_;
  int answers_left_ = 0;
  void (*then_)(pe&) = nullptr;
  std::vector<std::vector<std::uint64_t>> of_;  // by PE, from this one on
};

}  // namespace tsubu::remote
