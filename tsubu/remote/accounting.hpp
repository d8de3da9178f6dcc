// The accounts of all PEs: what each handler sent and executed, why batches left, who waited, and who gave work away.
//
// Every packet is counted when its run is closed and when it has been executed, by handler and by PE.
// PE 0 asks all PEs, down the tree and up again, when the job is quiescent, for --tsubu-stats; or when counts do not
// agree although nothing is under way, to say which handler's messages were lost or doubled, and between which PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/transport/calls.hpp"

namespace tsubu::remote {

class pe;

// What a floor above adds to the accounts of every PE. When the programs have ended and nothing is left to do, each PE
// runs settle(), which may send messages; when those have been executed, PE 0 is given what give() has on each PE.
struct added_account {
  void (*settle)();
  std::string (*give)();
  void (*take)(const std::vector<std::string>& of_pes);  // by PE; on PE 0
};

class accounting {
 public:
  explicit accounting(pe& owner);

  // Print the accounts when the job ends.
  void want() { wanted_ = true; }
  // PE 0 only: what a floor above has to say there, as whole lines that are indented by two.
  void add_lines(std::string (*text)()) { lines_above_.push_back(text); }
  // On every PE, or on none; before the job's end.
  void add(const added_account& of_a_floor) { added_ = &of_a_floor; }
  bool wanted() const { return wanted_ || added_ != nullptr; }
  // What tells the calls of the library below the transport; null: there is none.
  void tell_calls(transport::calls_of_library of_process) { calls_ = of_process; }
  // Those of this process, which may hold several PEs.
  transport::library_calls calls() const { return calls_ != nullptr ? calls_() : transport::library_calls{}; }
  // This PE has given so many pieces of work to one that had none: objects, items, ranges of a loop.
  void work_given(pe_id to, std::size_t pieces);

  // Every PE, once, by quiescence, if it must be: this gives the counted messages a last time to settle.
  bool must_settle() const { return added_ != nullptr && !settled_; }
  void settle();

  // PE 0 only: asks all PEs, and calls `then` when all have answered. Local.
  void collect(void (*then)(pe& here));
  bool asking() const { return answers_left_ != 0; }

  // PE 0, when all have answered.
  void fail_unless_equal() const;  // ends the job if a message was lost or doubled
  void conclude() const;           // what is wanted: a table to the standard error; to the floor above, what it added

  // By the handlers.
  void ask();
  void answered(pe_id from, const std::vector<std::uint64_t>& numbers, std::vector<std::string> texts);

  std::int64_t began_ns() const { return began_ns_; }

 private:
  void print() const;
  std::string by_pairs(const char* what, std::size_t which) const;
  std::vector<std::uint64_t> numbers() const;
  void answer();
  bool keeps_each() const;

  pe& pe_;
  bool wanted_ = false;
  bool settled_ = false;
  transport::calls_of_library calls_ = nullptr;
  const added_account* added_ = nullptr;
  std::vector<std::string (*)()> lines_above_;
  std::vector<std::uint64_t> given_;  // by PE; empty if nothing was given, or if pairs are not counted
  std::int64_t began_ns_;
  int answers_left_ = 0;
  void (*then_)(pe&) = nullptr;
  // The accounts of this PE and those below it: each one's, where pairs of PEs are counted; else their sum.
  std::vector<std::vector<std::uint64_t>> of_;
  std::vector<std::string> texts_;  // by PE, from this one on: what the floor above gave
};

}  // namespace tsubu::remote
