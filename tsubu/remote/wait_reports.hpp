// What the tasks of a PE wait for, in words: for who asks why a job does not go on.
#pragma once

#include <string>
#include <vector>

#include "tsubu/task/context.hpp"

namespace tsubu::remote {

class pe;

class wait_reports {
 public:
  // Parts of the floors above may know more of a wait: who waits, what for, for whom, and where in the program. Each
  // may be "". Who has come last is asked first.
  struct wait_text {
    std::string who;
    std::string what;
    std::string whom;
    std::string at;
    bool listed = true;  // it is not if nobody need know of the wait

    // "WHO waits for WHAT (WHOM), at AT"
    std::string line() const;
  };
  using describer = wait_text (*)(const wait_record&);
  void describe_by(describer d);

  // Who waits here without being a task of this PE, of which all is known.
  using lister = std::vector<wait_text> (*)();
  void list_by(lister l);

  // And of what tasks of other PEs wait for here: a line each, behind those of the waits.
  using reporter = std::vector<std::string> (*)();
  void report_by(reporter r);

  // What the tasks of this PE wait for, a line each.
  std::string text(const pe& of) const;

 private:
  wait_text describe(const pe& of, const wait_record& w) const;
  std::string lines_of_waits(const pe& of, const std::string& begin) const;

  std::vector<describer> describers_;
  std::vector<lister> listers_;
  std::vector<reporter> reporters_;
};

}  // namespace tsubu::remote
