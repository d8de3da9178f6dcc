#include "abcl/messages/futures.hpp"

#include "abcl/messages/values.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

value future_of(const context& at, const expression& e, span where) {
  const value f = eval(at, e)[0];
  at.out.stand_at(where);
  const int good = at.out.block(), bad = at.out.block();
  at.out.branch_if(opcode::if_unequal, f, 0, good, bad);
  at.out.enter(bad);
  at.out.fail("the future is nil");
  at.out.enter(good);
  return f;
}

values touch(const context& at, const tree::unary& e) {
  const value f = future_of(at, *e.operand, e.where);
  const int come = at.out.block();
  const bool polls = at.out.may_be_interrupted();
  const int wait = polls ? at.out.block() : at.out.current();
  if (polls) at.out.jump(wait);
  at.out.enter(wait);
  at.out.emit_wait({.what = opcode::await_future, .a = f, .t = come}, awaited_value(e));
  at.out.enter(come);
  if (polls) {
    const int cleared = at.out.block(), there = at.out.block();
    at.out.emit({.what = opcode::poll, .t = cleared});
    at.out.enter(cleared);
    // An express clause may have taken the value.
    at.out.branch_if(opcode::if_equal, at.out.load(f, words::next), 0, wait, there);
    at.out.enter(there);
  }
  const value box = at.out.make({.what = opcode::load, .note = code::notes::touches, .a = f, .k = words::next});
  values all;
  for (int i = 0; i < at.program.words_of(e.of); ++i) all.push_back(at.out.load(box, words::first + i));
  if (e.what == op::next_value) {
    at.out.store(f, words::next, at.out.load(box, words::next));
    at.out.emit({.what = opcode::release, .a = box});
  }
  return all;
}

}  // namespace abcl::messages
