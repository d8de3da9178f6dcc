#include "abcl/messages/loops.hpp"

#include "abcl/messages/effects.hpp"
#include "abcl/messages/operators.hpp"
#include "abcl/messages/replies.hpp"
#include "abcl/messages/values.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

// An express clause may begin at each so many rounds of a loop.
constexpr int rounds_between_polls = 64;

// Set to 0 where express clauses may begin in a loop; none: nowhere.
value rounds(const context& at) { return at.out.may_be_interrupted() ? at.out.set(0) : code::none; }

// Express clauses may run, and others must be let, now and then.
void back_edge(const context& at, value rounds) {
  if (rounds == code::none) return;
  const int poll = at.out.block(), after = at.out.block();
  at.out.emit({.what = opcode::add, .d = rounds, .a = rounds, .k = 1});
  at.out.branch_if(opcode::if_less, rounds, rounds_between_polls, after, poll);
  at.out.enter(poll);
  at.out.emit({.what = opcode::set, .d = rounds, .k = 0});
  const int paused = at.out.block();
  at.out.emit({.what = opcode::pause, .t = paused});
  at.out.enter(paused);
  at.out.emit({.what = opcode::poll, .t = after});
  at.out.enter(after);
}

context inside(const context& at, int after) {
  context within = at;
  within.loop = {after, at.atomics, at.owed};
  return within;
}

}  // namespace

void leave_loop(const context& at) {
  for (const owed_replies* each = at.owed; each != at.loop.owed; each = each->others) require_reply(at, each->owed);
  for (int i = at.loop.atomics; i < at.atomics; ++i) at.out.emit({.what = opcode::leave_atomic});
  at.out.end_here({.what = opcode::jump, .t = at.loop.after});
}

void loop(const context& at, const tree::loop& e) {
  const value turns = rounds(at);
  const int head = at.out.block("loop"), body = at.out.block(), after = at.out.block();
  at.out.jump(head);
  at.out.enter(head);
  condition(at, *e.condition, body, after);
  at.out.enter(body);
  run(inside(at, after), e.body);
  at.out.stand_at(e.where);
  back_edge(at, turns);
  at.out.jump(head);
  at.out.enter(after);
}

void count(const context& at, const tree::count& e) {
  const value turns = rounds(at);
  const int head = at.out.block("loop"), body = at.out.block(), after = at.out.block();
  const value first = eval(at, *e.first)[0], last = eval(at, *e.end)[0];
  const value i = at.out.moved(first), end = at.out.moved(last);
  at.names.bind(*e.counter, {i});
  at.out.jump(head);
  at.out.enter(head);
  at.out.emit({.what = opcode::if_less, .a = i, .b = end, .t = body, .u = after});
  at.out.enter(body);
  run(inside(at, after), e.body);
  at.out.stand_at(e.where);
  back_edge(at, turns);
  at.out.emit({.what = opcode::add, .d = i, .a = i, .k = 1});
  at.out.jump(head);
  at.out.enter(after);
}

}  // namespace abcl::messages
