#include "abcl/messages/branches.hpp"

#include "abcl/messages/accepting.hpp"
#include "abcl/messages/effects.hpp"
#include "abcl/messages/matches.hpp"
#include "abcl/messages/operators.hpp"
#include "abcl/messages/values.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

void choose(const context& at, const tree::choose& e, const type* want, const values& result, int after) {
  const int yes = at.out.block(), no = e.no != nullptr ? at.out.block() : after;
  condition(at, *e.condition, yes, no);
  at.out.enter(yes);
  into(at, *e.yes, want, result, after);
  if (e.no == nullptr) return;
  at.out.enter(no);
  into(at, *e.no, want, result, after);
}

void atomic(const context& at, const tree::block& e, const type* want, const values& result, int after) {
  if (!at.out.text.interruptible) return last_into(at, e.body, want, result, after);
  at.out.emit({.what = opcode::enter_atomic});
  const int leave = at.out.block();
  context inside = at;
  ++inside.atomics;
  last_into(inside, e.body, want, result, leave);
  at.out.enter(leave);
  at.out.emit({.what = opcode::leave_atomic});
  at.out.jump(after);
}

void let(const context& at, const tree::let& e, const type* want, const values& result, int after) {
  for (const auto& [v, first] : e.variables) {
    values words;
    if (first != nullptr) {
      for (const value each : eval(at, *first, v->of)) words.push_back(at.out.moved(each));
    } else {
      for (int k = 0; k < at.program.words_of(v->of); ++k) words.push_back(at.out.set(0));
    }
    at.names.bind(*v, words);
  }
  last_into(at, e.body, want, result, after);
}

}  // namespace

values branches(const context& at, const expression& e, const type* want) {
  const type* const of = e.of->is(type::kind::nil) && want != nullptr ? want : e.of;
  values result;
  const int after = at.out.block();
  if (!e.of->is(type::kind::nothing)) {
    for (int i = 0; i < at.program.words_of(of); ++i) result.push_back(at.out.fresh());
  }
  into(at, e, of, result, after);
  at.out.enter(after);
  return result;
}

void into(const context& at, const expression& e, const type* want, const values& result, int after) {
  const span outer = at.out.stand_at(e.where);
  switch (e.what) {
    case op::choose:
      choose(at, as<tree::choose>(e), want, result, after);
      break;
    case op::sequence:
      last_into(at, as<tree::block>(e).body, want, result, after);
      break;
    case op::atomic:
      atomic(at, as<tree::block>(e), want, result, after);
      break;
    case op::let:
      let(at, as<tree::let>(e), want, result, after);
      break;
    case op::match:
      match(at, as<tree::match>(e), want, result, after);
      break;
    case op::wait_for:
      accept(at, {&as<tree::cases>(e).clauses, false, want, result, after});
      break;
    default: {
      if (result.empty()) {
        effect(at, e);
      } else {
        const values v = eval(at, e, want);
        for (std::size_t i = 0; i < result.size() && i < v.size(); ++i)
          at.out.emit({.what = opcode::move, .d = result[i], .a = v[i]});
      }
      at.out.jump(after);
    }
  }
  at.out.stand_at(outer);
}

void last_into(const context& at, const expressions& body, const type* want, const values& result, int after) {
  if (body.empty()) return at.out.jump(after);
  for (std::size_t i = 0; i + 1 < body.size(); ++i) effect(at, *body[i]);
  into(at, *body.back(), want, result, after);
}

}  // namespace abcl::messages
