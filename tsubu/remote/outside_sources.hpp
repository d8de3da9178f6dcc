// What comes to a PE from outside the job: threads of the program's own, sockets, files.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace tsubu::remote {

// Where other threads leave what they have for this PE.
class outside_source {
 public:
  virtual ~outside_source() = default;
  // Runs some of it. False if there was nothing.
  virtual bool take_in() = 0;
  // Nothing is left, and no more can come: the PE lets go of it.
  virtual bool ended() = 0;
  // Called around each sleep of the PE, which transport::interrupt() ends.
  virtual void before_sleep() {}
  virtual void after_sleep() {}
};

// The sources of one PE, each until it has ended.
class outside_sources {
 public:
  void add(std::shared_ptr<outside_source> source);
  bool empty() const { return sources_.empty(); }
  // Runs some of what is there. False if there was nothing.
  bool take_in();
  void let_go_of_ended();
  void before_sleep();
  void after_sleep();

 private:
  std::vector<std::shared_ptr<outside_source>> sources_;
};

}  // namespace tsubu::remote
