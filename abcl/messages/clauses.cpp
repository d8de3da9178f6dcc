// Clauses: which one takes a message, and where an object goes on when it has been executed.
//
// The script of a class that takes every message at once is a dispatch: the object is dormant, a message that comes is
// looked up and executed. Where a message may have to wait, because of a guard, a literal or a wait-for, the object
// looks through its queue, and then at each message as it comes.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/messages/lowering.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl {

using code::opcode;
namespace words = code::words;

// Element i of a message, loaded from its box.
lowering::values lowering::elements_of(const clause& c, std::size_t i, value box) {
  int at = words::first;
  for (std::size_t k = 0; k < i; ++k) at += words_of(c.takes->parts[k]);
  values all;
  for (int k = 0; k < words_of(c.takes->parts[i]); ++k) all.push_back(load(box, at + k));
  return all;
}

void lowering::require_equal(const values& v, const expression& literal, const type* of, int no) {
  const value same = compared(operation::equal, of, v, eval(literal, of));
  const int next = block();
  branch_if(opcode::if_unequal, same, 0, next, no);
  enter(next);
}

void lowering::test(const clause& c, value box, int no) {
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    if (c.pattern[i].literal == nullptr) continue;
    require_equal(elements_of(c, i, box), *c.pattern[i].literal, c.takes->parts[i], no);
  }
  if (c.guard == nullptr) return;
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    if (c.pattern[i].bound != nullptr) bind(*c.pattern[i].bound, elements_of(c, i, box));
  }
  const int next = block();
  condition(*c.guard, next, no);
  enter(next);
}

void lowering::choose_clause(const std::vector<const clause*>& clauses, value box, value selector, int no,
                             const std::function<void(const clause&)>& taken) {
  // One message after the other, and its clauses in their order.
  std::vector<int> seen;
  for (const clause* c : clauses) {
    const int s = selector_of(c->takes);
    if (std::find(seen.begin(), seen.end(), s) != seen.end()) continue;
    seen.push_back(s);
    std::vector<const clause*> same;
    for (const clause* other : clauses) {
      if (selector_of(other->takes) == s) same.push_back(other);
    }
    int next_message = no;
    if (selector != code::none) {
      const int yes = block(fmt::format("message {}", shown(c->takes)));
      next_message = block();
      branch_if(opcode::if_equal, selector, s, yes, next_message);
      enter(yes);
    }
    bool covered = false;
    for (std::size_t i = 0; i < same.size() && !covered; ++i) {
      covered = same[i]->takes_all();
      const int next = covered ? -1 : i + 1 == same.size() ? no : block();
      test(*same[i], box, next);
      taken(*same[i]);
      if (!covered && next != no) enter(next);
    }
    if (selector == code::none) return;
    enter(next_message);
  }
  jump(no);
}

// The clause has the message: its names are bound, the box given back, its forms executed.
void lowering::execute(const clause& c, value box, const taking& t) {
  const std::string outer_message = message_;
  const destination outer = answer_;
  if (t.of_script) {
    message_ = shown(c.takes);
    creations_ = 0;
  }
  where_ = c.where;
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    const variable* const v = c.pattern[i].bound;
    if (v != nullptr && (!v->uses.empty() || !v->changes.empty())) bind(*v, elements_of(c, i, box));
  }
  if (c.replies) {
    const values d = elements_of(c, c.takes->parts.size() - 1, box);
    answer_.object = d[0];
    answer_.box = d[1];
    answer_.of = c.takes->answer();
    answer_.replied = replies_at_its_end(c) ? code::none : set(0);
  }
  if (leaves_ && t.of_script && !express_clause_) {
    if (c.replies) {
      owe(answer_.object, answer_.box);
    } else {
      const value nobody = set(0);
      owe(nobody, nobody);
    }
  }
  emit({.what = opcode::release,
        .a = box,
        .u = !t.of_script      ? code::notes::message_within
             : express_clause_ ? code::notes::message_express
                               : code::notes::message});
  const destination own = answer_;
  const int end_of_clause = block();
  if (t.of_script || t.result.empty()) {
    run(c.body);
    jump(end_of_clause);
  } else {
    last_into(c.body, t.want, t.result, end_of_clause);
  }
  enter(end_of_clause);
  if (c.replies && own.replied != code::none) {
    where_ = c.where;
    require_reply(own);
  }
  answer_ = outer;
  message_ = outer_message;
  jump(t.after);
}

// The clause ends here: who waits for its reply has got it, or is told.
void lowering::require_reply(const destination& owed) {
  const int forgotten = block(), done = block();
  branch_if(opcode::if_unequal, owed.replied, 0, done, forgotten);
  enter(forgotten);
  service(code::service::no_reply, owed.object, owed.box, -1, false);
  jump(done);
  enter(done);
}

// ---- a script

void lowering::script(const class_def& c) {
  const tree::cases* const s = c.script.get();
  where_ = s->where;
  if (text_->interruptible) {
    const int here = current_;
    express_clauses(*s);
    enter(here);
  }
  std::vector<const clause*> normal;
  for (const clause& each : s->clauses) {
    if (!each.express) normal.push_back(&each);
  }
  if (may_leave_messages(c) || normal.empty()) {
    // It looks for a message again and again.
    const int again = block("look for a message");
    text_->at_next = again;
    jump(again);
    enter(again);
    accept({&s->clauses, true, nullptr, {}, again});
    return;
  }
  // The first message is looked for as after a clause.
  const int dispatch = block("message"), ended = block("clause ended"), arrives = block("message arrives");
  const value message = fresh();
  jump(ended);
  enter(ended);
  text_->at_next = ended;
  where_ = s->where;
  if (text_->interruptible) {
    const int cleared = block();
    emit({.what = opcode::poll, .t = cleared});
    enter(cleared);
  }
  emit({.what = opcode::next, .d = message, .t = dispatch});
  enter(arrives);
  text_->at_message = arrives;
  emit({.what = opcode::incoming, .d = message});
  jump(dispatch);
  enter(dispatch);
  const value box = fresh();
  emit({.what = opcode::box_of, .d = box, .a = message});
  value selector = code::none;
  const bool several = std::any_of(normal.begin(), normal.end(), [&](const clause* each) {
    return selector_of(each->takes) != selector_of(normal[0]->takes);
  });
  if (several) {
    selector = fresh();
    emit({.what = opcode::selector, .d = selector, .a = message});
  }
  const int never = block();
  const taking t{&s->clauses, true, nullptr, {}, ended};
  choose_clause(normal, box, selector, never, [&](const clause& each) { execute(each, box, t); });
  enter(never);
  emit({.what = opcode::fail, .k = number_of_text("a message that no clause takes")});
}

// ---- looking for a message

void lowering::accept(const taking& t) {
  std::vector<const clause*> clauses;
  for (const clause& each : *t.clauses) {
    if (!each.express) clauses.push_back(&each);
  }
  const span where = where_;
  const int look = block("look"), loop = block(), found = block(), nothing = block("none waits"),
            arrives = block("message arrives"), test_it = block(), not_this = block(), passed_over = block(),
            comes_later = block();
  if (text_->interruptible && !express_clause_) {
    emit({.what = opcode::poll_messages, .t = look});
  } else {
    jump(look);
  }
  // `before`: the message in front of it in the queue, or 0; `new_one`: it has just come, and is in no queue.
  const value box = fresh(), before = fresh(), message = fresh(), new_one = fresh();
  enter(look);
  if (t.of_script && leaves_ && text_->interruptible) store(code::segment, words::dropped, set(0));  // of no clause
  emit({.what = opcode::set, .d = before, .k = 0});
  emit({.what = opcode::set, .d = new_one, .k = 0});
  emit({.what = opcode::first, .d = box});
  jump(loop);
  enter(loop);
  branch_if(opcode::if_equal, box, 0, nothing, found);
  enter(found);
  emit({.what = opcode::load, .d = message, .a = box, .k = words::message});
  jump(test_it);
  enter(nothing);
  where_ = where;
  emit({.what = opcode::await_message, .k = t.of_script ? 0 : 1, .t = arrives, .u = text_->interruptible ? look : -1});
  enter(arrives);
  emit({.what = opcode::incoming, .d = message});
  emit({.what = opcode::box_of, .d = box, .a = message});
  emit({.what = opcode::set, .d = new_one, .k = 1});
  emit({.what = opcode::set, .d = before, .k = 0});
  if (text_->interruptible) leave_to_express_clauses(message, nothing, test_it);
  jump(test_it);
  enter(test_it);
  const value selector = fresh();
  emit({.what = opcode::selector, .d = selector, .a = message});
  choose_clause(clauses, box, selector, not_this, [&](const clause& each) {
    const int waiting = block(), taken = block();
    branch_if(opcode::if_unequal, new_one, 0, taken, waiting);
    enter(waiting);
    emit({.what = opcode::take_out, .a = box, .b = before});
    jump(taken);
    enter(taken);
    if (!t.of_script && leaves_ && text_->interruptible && !express_clause_) leave_instead(each, box);
    execute(each, box, t);
  });
  enter(not_this);
  branch_if(opcode::if_unequal, new_one, 0, comes_later, passed_over);
  enter(passed_over);
  emit({.what = opcode::move, .d = before, .a = box});
  emit({.what = opcode::following, .d = box, .a = box});
  jump(loop);
  enter(comes_later);
  emit({.what = opcode::put_back, .a = message});
  jump(nothing);
}

// ---- express clauses

// A message that comes where express clauses are kept out, in an atomic form or in one of them, waits for them if it is
// theirs: nobody else takes it. Goes on at `kept` then, else at `mine`.
void lowering::leave_to_express_clauses(value message, int kept, int mine) {
  const int is_express = block(), keep = block();
  const value early = fresh(), selector = fresh();
  emit({.what = opcode::is_early, .d = early, .a = message});
  branch_if(opcode::if_unequal, early, 0, is_express, mine);
  enter(is_express);
  emit({.what = opcode::selector, .d = selector, .a = message});
  for (const clause& each : class_->script->clauses) {
    if (!each.express) continue;
    const int other = block();
    branch_if(opcode::if_equal, selector, selector_of(each.takes), keep, other);
    enter(other);
  }
  jump(mine);
  enter(keep);
  emit({.what = opcode::put_back, .a = message, .k = 1});
  jump(kept);
  enter(block());
}

void lowering::express_clauses(const tree::cases& s) {
  std::vector<const clause*> clauses;
  for (const clause& each : s.clauses) {
    if (each.express) clauses.push_back(&each);
  }
  express_clause_ = true;
  const int arrives = block("express message arrives"), dispatch = block("express message"), ended = block(),
            not_mine = block();
  text_->at_express = arrives;
  text_->at_resume = ended;
  const value message = fresh(), box = fresh(), selector = fresh();
  enter(arrives);
  emit({.what = opcode::incoming, .d = message});
  emit({.what = opcode::interrupt});
  jump(dispatch);
  enter(dispatch);
  emit({.what = opcode::box_of, .d = box, .a = message});
  emit({.what = opcode::selector, .d = selector, .a = message});
  const taking t{&s.clauses, true, nullptr, {}, ended};
  choose_clause(clauses, box, selector, not_mine, [&](const clause& each) { execute(each, box, t); });
  enter(not_mine);
  // A normal clause takes it, ahead of the others.
  emit({.what = opcode::put_back, .a = message});
  jump(ended);
  enter(ended);
  where_ = s.where;
  emit({.what = opcode::resume, .d = message, .t = dispatch});
  express_clause_ = false;
}

// ---- a clause that is left

void lowering::owe(value object, value box) {
  store(code::segment, words::asker_object, object);
  store(code::segment, words::asker_box, box);
}

// A wait-for has taken a message. If its clause is to be left, this is the end of its wait, and who has asked by the
// message is left, too.
void lowering::leave_instead(const clause& c, value box) {
  const int leave = block(), go_on = block();
  branch_if(opcode::if_unequal, load(code::segment, words::dropped), 0, leave, go_on);
  enter(leave);
  store(code::segment, words::dropped, set(0));
  if (c.replies) {
    const values d = elements_of(c, c.takes->parts.size() - 1, box);
    leave_asker(d[0], d[1]);
  }
  emit({.what = opcode::release, .a = box, .u = code::notes::message_within});
  jump(text_->at_left);
  enter(go_on);
}

// Who waits for its reply is left, too.
void lowering::clause_is_left() {
  enter(text_->at_left);
  if (text_->interruptible) store(code::segment, words::interrupt_depth, set(0));  // of an atomic form in it
  leave_asker(load(code::segment, words::asker_object), load(code::segment, words::asker_box));
  if (text_->at_next >= 0) {
    jump(text_->at_next);
  } else {
    emit({.what = opcode::finish});
  }
}

void lowering::leave_asker(value object, value box) {
  const int someone = block(), waits = block(), nobody = block();
  branch_if(opcode::if_unequal, object, 0, someone, nobody);
  enter(someone);
  const value future = fresh();
  emit({.what = opcode::is_future, .d = future, .a = box});
  branch_if(opcode::if_equal, future, 0, waits, nobody);
  enter(waits);
  const int tell = block();
  branch_if(opcode::if_unequal, box, 0, tell, nobody);
  enter(tell);
  emit({.what = opcode::deliver_left, .a = object, .b = box});
  jump(nobody);
  enter(nobody);
}

// ---- match

void lowering::match(const tree::match& e, const type* want, const values& result, int after) {
  const type* const of = e.value->of;
  const values v = eval(*e.value);
  // Where each element begins; a value that is no tuple is one.
  std::vector<const type*> types = of->is(type::kind::message) ? of->parts : std::vector<const type*>{of};
  std::vector<values> elements;
  std::size_t at = 0;
  for (const type* t : types) {
    const auto count = static_cast<std::size_t>(words_of(t));
    elements.emplace_back(v.begin() + static_cast<std::ptrdiff_t>(at),
                          v.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  for (const clause& c : e.clauses) {
    const int next = block();
    for (std::size_t i = 0; i < c.pattern.size() && i < elements.size(); ++i) {
      if (c.pattern[i].literal == nullptr) continue;
      require_equal(elements[i], *c.pattern[i].literal, types[i], next);
    }
    for (std::size_t i = 0; i < c.pattern.size() && i < elements.size(); ++i) {
      if (c.pattern[i].bound == nullptr) continue;
      values copies;
      for (const value each : elements[i]) copies.push_back(moved(each));
      bind(*c.pattern[i].bound, copies);
    }
    if (c.guard != nullptr) {
      const int yes = block();
      condition(*c.guard, yes, next);
      enter(yes);
    }
    last_into(c.body, want, result, after);
    enter(next);
    if (c.takes_all()) break;  // what follows is never reached
  }
  where_ = e.where;
  emit({.what = opcode::fail, .k = number_of_text("no clause fits this value")});
}

}  // namespace abcl
