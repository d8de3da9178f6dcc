// Messages for reentrant methods of objects that are busy, and those of these methods that wait.
//
// They may not wait in their object's queue: behind a method that begins before them and may wait for their answer. So
// they run by themselves, when no task does. Meanwhile their object may have ended or moved, so a name is kept, and no
// address.
#pragma once

#include <unordered_map>
#include <vector>

#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

class reentrant_calls {
 public:
  struct call {
    identity id;
    mail* m;
  };

  // It is among the next that are run.
  void add(const identity& id, mail& m) { next_.push_back({id, &m}); }
  bool empty() const { return next_.empty(); }
  // Those that have been added, in order.
  std::vector<call> take();

  // A reentrant method of the object waits; one that did has ended.
  void one_waits(object_base& o);
  void one_ended(object_base& o);

 private:
  std::vector<call> next_;
  // An object has the bit `entered` exactly while it is here; the count is not 0.
  std::unordered_map<const object_base*, int> waiting_;
};

}  // namespace tsubu::objects
