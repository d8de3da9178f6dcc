// Work for idle PEs: what create<T>(anywhere()) promises.
//
// A PE that runs out of work tells others. One of these that has objects which have something to run, have been created
// anywhere() and can be moved, but run nothing now, sends one: the one that would run last, which in a tree of objects
// is the root of the largest part that nobody has begun. (Work stealing, by the name of Blumofe and Leiserson 1999,
// where the thief asks once and the victim gives when it can.) A PE that has none to give remembers who asked, and
// creates its next object there. When a job starts, all PEs but one are idle, and nobody has to say so.
#pragma once

#include <vector>

#include "tsubu/remote/pe.hpp"

namespace tsubu::objects {

class object_space;

class balancer final : remote::idle_watcher {
 public:
  explicit balancer(object_space& space);

  // The PE for a new object.
  pe_id choose();

  // Objects have been run: there was work. Gives some away.
  void after_running();
  // By the handler: that PE has nothing to run.
  void asked_by(pe_id idle);

 private:
  static constexpr pe_id most_asked = 16;

  void on_idle() override;
  bool give(pe_id to);

  object_space& space_;
  std::vector<pe_id> idle_;  // as far as is known
  std::uint64_t work_when_asked_ = 0;
  pe_id next_asked_;
};

}  // namespace tsubu::objects
