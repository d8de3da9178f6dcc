#include "abcl/messages/scripts.hpp"

#include <algorithm>

#include "abcl/messages/accepting.hpp"
#include "abcl/messages/clauses.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

void express_clauses(const context& at, const tree::cases& s) {
  std::vector<const clause*> clauses;
  for (const clause& each : s.clauses) {
    if (each.express) clauses.push_back(&each);
  }
  at.out.in_express(true);
  const int arrives = at.out.block("express message arrives"), dispatch = at.out.block("express message"),
            ended = at.out.block(), not_mine = at.out.block();
  at.out.text.at_express = arrives;
  at.out.text.at_resume = ended;
  const value message = at.out.fresh(), box = at.out.fresh(), kind = at.out.fresh();
  at.out.enter(arrives);
  at.out.emit({.what = opcode::incoming, .d = message});
  at.out.emit({.what = opcode::interrupt});
  at.out.jump(dispatch);
  at.out.enter(dispatch);
  at.out.emit({.what = opcode::box_of, .d = box, .a = message});
  at.out.emit({.what = opcode::kind_of, .d = kind, .a = message});
  const taking t{&s.clauses, true, nullptr, {}, ended};
  choose_clause(at, clauses, box, kind, not_mine, [&](const clause& each) { execute(at, each, box, t); });
  at.out.enter(not_mine);
  // A normal clause takes it, ahead of the others.
  at.out.emit({.what = opcode::put_back, .a = message});
  at.out.jump(ended);
  at.out.enter(ended);
  at.out.stand_at(s.where);
  at.out.emit({.what = opcode::resume, .d = message, .t = dispatch});
  at.out.in_express(false);
}

}  // namespace

void script(const context& at, const class_def& c) {
  const tree::cases* const s = c.script.get();
  at.out.stand_at(s->where);
  if (at.out.text.interruptible) {
    const int here = at.out.current();
    express_clauses(at, *s);
    at.out.enter(here);
  }
  std::vector<const clause*> normal;
  for (const clause& each : s->clauses) {
    if (!each.express) normal.push_back(&each);
  }
  if (may_leave_messages(c) || normal.empty()) {
    // It looks for a message again and again.
    const int again = at.out.block("look for a message");
    at.out.text.at_next = again;
    at.out.jump(again);
    at.out.enter(again);
    accept(at, {&s->clauses, true, nullptr, {}, again});
    return;
  }
  // The first message is looked for as after a clause.
  const int dispatch = at.out.block("message"), ended = at.out.block("clause ended"),
            arrives = at.out.block("message arrives");
  const value message = at.out.fresh();
  at.out.jump(ended);
  at.out.enter(ended);
  at.out.text.at_next = ended;
  at.out.stand_at(s->where);
  if (at.out.text.interruptible) {
    const int cleared = at.out.block();
    at.out.emit({.what = opcode::poll, .t = cleared});
    at.out.enter(cleared);
  }
  at.out.emit({.what = opcode::next, .d = message, .t = dispatch});
  at.out.enter(arrives);
  at.out.text.at_message = arrives;
  at.out.emit({.what = opcode::incoming, .d = message});
  at.out.jump(dispatch);
  at.out.enter(dispatch);
  const value box = at.out.make({.what = opcode::box_of, .a = message});
  value kind = code::none;
  const bool several = std::any_of(normal.begin(), normal.end(), [&](const clause* each) {
    return at.program.kind_of(each->takes, each->where) != at.program.kind_of(normal[0]->takes, normal[0]->where);
  });
  if (several) {
    kind = at.out.fresh();
    at.out.emit({.what = opcode::kind_of, .d = kind, .a = message});
  }
  const int never = at.out.block();
  const taking t{&s->clauses, true, nullptr, {}, ended};
  choose_clause(at, normal, box, kind, never, [&](const clause& each) { execute(at, each, box, t); });
  at.out.enter(never);
  at.out.fail("a message that no clause takes");
}

}  // namespace abcl::messages
