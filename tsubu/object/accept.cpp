#include "tsubu/object/accept.hpp"

namespace tsubu::objects {

bool accept_wait::await_ready() {
  object_base& o = *static_cast<object_base*>(const_cast<void*>(object));
  object_base::header& h = o.tsubu_header;
  require(h.is(object_base::header::busy), "accept() is awaited by code that is no method of its object");
  require(!h.is(object_base::header::accepting), "two accept() of one object are awaited at a time");
  object = std::exchange(h.accepts, this);
  if (h.is(object_base::header::asked)) {
    // What is accepted comes behind them.
    h.set(object_base::header::accepting);
    this_space().runs.list(o, true);
    return false;
  }
  if (h.is(object_base::header::held)) {
    h.set(object_base::header::accepting);
    return false;
  }
  int which = none_yet;
  mail* const m = h.queue.take_first([&](const mail& one) { return (which = match(one)) >= 0; });
  if (m == nullptr) {
    h.set(object_base::header::accepting);
    return false;
  }
  if (h.queue.empty()) h.clear(object_base::header::queued);
  this_space().runs.serve(o, *m, which);
  return served_;
}

}  // namespace tsubu::objects
