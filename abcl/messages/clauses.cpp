#include "abcl/messages/clauses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abcl/messages/branches.hpp"
#include "abcl/messages/effects.hpp"
#include "abcl/messages/leaving.hpp"
#include "abcl/messages/patterns.hpp"
#include "abcl/messages/replies.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl::messages {

using code::opcode;

void choose_clause(const context& at, const std::vector<const clause*>& clauses, value box, value kind, int no,
                   const std::function<void(const clause&)>& taken) {
  // One message after the other, and its clauses in their order.
  std::vector<int> seen;
  for (const clause* c : clauses) {
    const int its_kind = at.program.kind_of(c->takes, c->where);
    if (std::find(seen.begin(), seen.end(), its_kind) != seen.end()) continue;
    seen.push_back(its_kind);
    std::vector<const clause*> same;
    for (const clause* other : clauses) {
      if (at.program.kind_of(other->takes, other->where) == its_kind) same.push_back(other);
    }
    int next_message = no;
    if (kind != code::none) {
      const int yes = at.out.block(fmt::format("message {}", spelled(c->takes)));
      next_message = at.out.block();
      at.out.branch_if(opcode::if_equal, kind, its_kind, yes, next_message);
      at.out.enter(yes);
    }
    bool covered = false;
    for (std::size_t i = 0; i < same.size() && !covered; ++i) {
      covered = same[i]->takes_all();
      const int next = covered ? -1 : i + 1 == same.size() ? no : at.out.block();
      test(at, *same[i], box, next);
      taken(*same[i]);
      if (!covered && next != no) at.out.enter(next);
    }
    if (kind == code::none) return;
    at.out.enter(next_message);
  }
  at.out.jump(no);
}

void execute(const context& outside, const clause& c, value box, const taking& t) {
  context at = outside;
  std::string message_before;
  if (t.of_script) message_before = at.out.in_clause(spelled(c.takes));
  at.out.stand_at(c.where);
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    const variable* const v = c.pattern[i].bound;
    if (v != nullptr && (!v->uses.empty() || !v->changes.empty())) at.names.bind(*v, elements_of(at, c, i, box));
  }
  if (c.replies) {
    const values d = elements_of(at, c, c.takes->parts.size() - 1, box);
    at.answer.object = d[0];
    at.answer.box = d[1];
    at.answer.of = c.takes->answer();
    at.answer.replied = replies_at_its_end(c) ? code::none : at.out.set(0);
  }
  const owed_replies within{at.answer, outside.owed};
  if (c.replies && !t.of_script) at.owed = &within;
  if (at.program.used.leaves && t.of_script && !at.out.in_express()) {
    if (c.replies) {
      owe(at, at.answer.object, at.answer.box);
    } else {
      const value nobody = at.out.set(0);
      owe(at, nobody, nobody);
    }
  }
  at.out.emit({.what = opcode::release,
               .note = !t.of_script          ? code::notes::message_within
                       : at.out.in_express() ? code::notes::message_express
                                             : code::notes::message,
               .a = box});
  const int end_of_clause = at.out.block();
  if (t.of_script || t.result.empty()) {
    run(at, c.body);
    at.out.jump(end_of_clause);
  } else {
    last_into(at, c.body, t.want, t.result, end_of_clause);
  }
  at.out.enter(end_of_clause);
  if (c.replies && at.answer.replied != code::none) {
    at.out.stand_at(c.where);
    require_reply(at, at.answer);
  }
  if (t.of_script) at.out.in_clause(std::move(message_before));
  at.out.jump(t.after);
}

}  // namespace abcl::messages
