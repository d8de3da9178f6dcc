#include "abcl/messages/accepting.hpp"

#include "abcl/messages/clauses.hpp"
#include "abcl/messages/leaving.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

namespace {

// A message that comes where express clauses are kept out, in an atomic form or in one of them, waits for them if it is
// theirs: nobody else takes it. Goes on at `kept` then, else at `mine`.
void leave_to_express_clauses(const context& at, value message, int kept, int mine) {
  const int is_express = at.out.block(), keep = at.out.block();
  const value early = at.out.fresh(), kind = at.out.fresh();
  at.out.emit({.what = opcode::is_early, .d = early, .a = message});
  at.out.branch_if(opcode::if_unequal, early, 0, is_express, mine);
  at.out.enter(is_express);
  at.out.emit({.what = opcode::kind_of, .d = kind, .a = message});
  for (const clause& each : at.of_class->script->clauses) {
    if (!each.express) continue;
    const int other = at.out.block();
    at.out.branch_if(opcode::if_equal, kind, at.program.kind_of(each.takes, each.where), keep, other);
    at.out.enter(other);
  }
  at.out.jump(mine);
  at.out.enter(keep);
  at.out.emit({.what = opcode::put_back, .a = message, .k = 1});
  at.out.jump(kept);
  at.out.enter(at.out.block());
}

}  // namespace

void accept(const context& at, const taking& t) {
  std::vector<const clause*> clauses;
  for (const clause& each : *t.clauses) {
    if (!each.express) clauses.push_back(&each);
  }
  const span where = at.out.where();
  const int look = at.out.block("look"), loop = at.out.block(), found = at.out.block(),
            nothing = at.out.block("none waits"), arrives = at.out.block("message arrives"), test_it = at.out.block(),
            not_this = at.out.block(), passed_over = at.out.block(), comes_later = at.out.block();
  if (at.out.may_be_interrupted()) {
    at.out.emit({.what = opcode::poll_messages, .t = look});
  } else {
    at.out.jump(look);
  }
  // `before`: the message in front of it in the queue, or 0; `new_one`: it has just come, and is in no queue.
  const value box = at.out.fresh(), before = at.out.fresh(), message = at.out.fresh(), new_one = at.out.fresh();
  at.out.enter(look);
  if (t.of_script && at.program.used.leaves && at.out.text.interruptible)
    at.out.store(code::segment, words::dropped, at.out.set(0));  // of no clause
  at.out.emit({.what = opcode::set, .d = before, .k = 0});
  at.out.emit({.what = opcode::set, .d = new_one, .k = 0});
  at.out.emit({.what = opcode::first, .d = box});
  at.out.jump(loop);
  at.out.enter(loop);
  at.out.branch_if(opcode::if_equal, box, 0, nothing, found);
  at.out.enter(found);
  at.out.emit({.what = opcode::load, .d = message, .a = box, .k = words::message});
  at.out.jump(test_it);
  at.out.enter(nothing);
  at.out.stand_at(where);
  at.out.emit_wait({.what = opcode::await_message,
                    .k = t.of_script ? 0 : 1,
                    .t = arrives,
                    .u = at.out.text.interruptible ? look : -1},
                   t.of_script ? awaited_by_script : awaited_messages(*t.clauses));
  at.out.enter(arrives);
  at.out.emit({.what = opcode::incoming, .d = message});
  at.out.emit({.what = opcode::box_of, .d = box, .a = message});
  at.out.emit({.what = opcode::set, .d = new_one, .k = 1});
  at.out.emit({.what = opcode::set, .d = before, .k = 0});
  if (at.out.text.interruptible) leave_to_express_clauses(at, message, nothing, test_it);
  at.out.jump(test_it);
  at.out.enter(test_it);
  const value kind = at.out.make({.what = opcode::kind_of, .a = message});
  choose_clause(at, clauses, box, kind, not_this, [&](const clause& each) {
    const int waiting = at.out.block(), taken = at.out.block();
    at.out.branch_if(opcode::if_unequal, new_one, 0, taken, waiting);
    at.out.enter(waiting);
    at.out.emit({.what = opcode::take_out, .a = box, .b = before});
    at.out.jump(taken);
    at.out.enter(taken);
    if (!t.of_script && at.program.used.leaves && at.out.may_be_interrupted()) leave_instead(at, each, box);
    execute(at, each, box, t);
  });
  at.out.enter(not_this);
  at.out.branch_if(opcode::if_unequal, new_one, 0, comes_later, passed_over);
  at.out.enter(passed_over);
  at.out.emit({.what = opcode::move, .d = before, .a = box});
  at.out.emit({.what = opcode::following, .d = box, .a = box});
  at.out.jump(loop);
  at.out.enter(comes_later);
  at.out.emit({.what = opcode::put_back, .a = message});
  at.out.jump(nothing);
}

}  // namespace abcl::messages
