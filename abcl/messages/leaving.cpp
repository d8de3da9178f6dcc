#include "abcl/messages/leaving.hpp"

#include "abcl/messages/patterns.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

namespace {

// Who waits for the reply, in a box, is told.
void leave_asker(const context& at, value object, value box) {
  const int someone = at.out.block(), waits = at.out.block(), nobody = at.out.block();
  at.out.branch_if(opcode::if_unequal, object, 0, someone, nobody);
  at.out.enter(someone);
  const value future = at.out.make({.what = opcode::is_future, .a = box});
  at.out.branch_if(opcode::if_equal, future, 0, waits, nobody);
  at.out.enter(waits);
  const int tell = at.out.block();
  at.out.branch_if(opcode::if_unequal, box, 0, tell, nobody);
  at.out.enter(tell);
  at.out.emit({.what = opcode::deliver_left, .a = object, .b = box});
  at.out.jump(nobody);
  at.out.enter(nobody);
}

}  // namespace

void owe(const context& at, value object, value box) {
  at.out.store(code::segment, words::asker_object, object);
  at.out.store(code::segment, words::asker_box, box);
}

void leave_instead(const context& at, const clause& c, value box) {
  const int leave = at.out.block(), go_on = at.out.block();
  at.out.branch_if(opcode::if_unequal, at.out.load(code::segment, words::dropped), 0, leave, go_on);
  at.out.enter(leave);
  at.out.store(code::segment, words::dropped, at.out.set(0));
  if (c.replies) {
    const values d = elements_of(at, c, c.takes->parts.size() - 1, box);
    leave_asker(at, d[0], d[1]);
  }
  at.out.emit({.what = opcode::release, .note = code::notes::message_within, .a = box});
  at.out.jump(at.out.text.at_left);
  at.out.enter(go_on);
}

void clause_is_left(const context& at) {
  at.out.enter(at.out.text.at_left);
  if (at.out.text.interruptible)
    at.out.store(code::segment, words::interrupt_depth, at.out.set(0));  // of an atomic form in it
  const value box = at.out.load(code::segment, words::asker_box);
  leave_asker(at, at.out.load(code::segment, words::asker_object), box);
  if (at.out.text.at_next >= 0) {
    at.out.jump(at.out.text.at_next);
  } else {
    at.out.emit({.what = opcode::finish});
  }
}

}  // namespace abcl::messages
