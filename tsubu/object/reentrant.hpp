// Messages for reentrant methods that wait for their turn, and those of these methods that wait.
//
// They may not wait in their object's queue: behind a method that begins before them and may wait for their answer. So
// those that are not executed on the spot run by themselves, when no task does. Until then their object is not dormant:
// what comes behind them waits, too. When it leaves or ends, they go with it.
#pragma once

#include <deque>
#include <unordered_map>

#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

class reentrant_calls {
 public:
  struct call {
    object_base* object;
    mail* m;
  };

  // It is run after those that came before it.
  void add(object_base& o, mail& m);
  bool empty() const { return of_.empty(); }
  // After so many calls of take_next() all that are here now have been taken.
  std::size_t size() const { return next_.size(); }
  // The next one, not if empty(); no mail if its object has left with it, or ended.
  call take_next();
  // Those of one object, in order, if it has any.
  message_queue take_of(object_base& o);

  // A reentrant method of the object waits; one that did has ended.
  void one_waits(object_base& o);
  void one_ended(object_base& o);

 private:
  void remove(std::unordered_map<object_base*, message_queue>::iterator at);

  // An object has the bit `asked` exactly while it is in of_, where no queue is empty. In next_ it stands for each of
  // its messages, and for those that were taken with others.
  std::deque<object_base*> next_;
  std::unordered_map<object_base*, message_queue> of_;
  // An object has the bit `entered` exactly while it is here; the count is not 0.
  std::unordered_map<const object_base*, int> waiting_;
};

}  // namespace tsubu::objects
