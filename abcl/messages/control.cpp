// Branches, loops, and what is done for its effect.
#include <fmt/format.h>

#include "abcl/check/analysis.hpp"
#include "abcl/messages/lowering.hpp"

namespace abcl {

using code::opcode;

namespace {

// An express clause may begin at each so many rounds of a loop.
constexpr int rounds_between_polls = 64;

}  // namespace

// ---- what has branches

lowering::values lowering::branches(const expression& e, const type* want) {
  const type* const of = e.of->is(type::kind::nil) && want != nullptr ? want : e.of;
  values result;
  const int after = block();
  if (!e.of->is(type::kind::nothing)) {
    for (int i = 0; i < words_of(of); ++i) result.push_back(fresh());
  }
  into(e, of, result, after);
  enter(after);
  return result;
}

void lowering::last_into(const std::vector<expression_ptr>& body, std::size_t first, const type* want,
                         const values& result, int after) {
  if (body.size() <= first) return jump(after);
  run(body, first, body.size() - 1);
  into(*body.back(), want, result, after);
}

// Leaves the value of `e` in `result`, and goes on at `after`.
void lowering::into(const expression& e, const type* want, const values& result, int after) {
  const span outer = where_;
  where_ = e.where;
  switch (e.what) {
    case op::choose: {
      const int yes = block(), no = e.parts.size() == 3 ? block() : after;
      condition(*e.parts[0], yes, no);
      const int created = creations_;
      enter(yes);
      into(*e.parts[1], want, result, after);
      if (e.parts.size() == 3) {
        creations_ = created;
        enter(no);
        into(*e.parts[2], want, result, after);
      }
      break;
    }
    case op::sequence:
      last_into(e.parts, 0, want, result, after);
      break;
    case op::atomic:
      if (text_->interruptible) {
        emit({.what = opcode::enter_atomic});
        const int leave = block();
        last_into(e.parts, 0, want, result, leave);
        enter(leave);
        emit({.what = opcode::leave_atomic});
        jump(after);
      } else {
        last_into(e.parts, 0, want, result, after);
      }
      break;
    case op::let:
      for (std::size_t i = 0; i < e.vars.size(); ++i) {
        const variable& v = *e.vars[i];
        values first;
        if (e.parts[i] != nullptr) {
          for (const value each : eval(*e.parts[i], v.of)) first.push_back(moved(each));
        } else {
          for (int k = 0; k < words_of(v.of); ++k) first.push_back(set(0));
        }
        bind(v, first);
      }
      last_into(e.parts, e.vars.size(), want, result, after);
      break;
    case op::match:
      match(e, want, result, after);
      break;
    case op::wait_for:
      accept({&e.clauses, false, want, result, after});
      break;
    default: {
      if (result.empty()) {
        effect(e);
      } else {
        const values v = eval(e, want);
        for (std::size_t i = 0; i < result.size() && i < v.size(); ++i)
          emit({.what = opcode::move, .d = result[i], .a = v[i]});
      }
      jump(after);
    }
  }
  where_ = outer;
}

void lowering::effect(const expression& e) {
  const span outer = where_;
  where_ = e.where;
  switch (e.what) {
    case op::choose:
    case op::sequence:
    case op::let:
    case op::match:
    case op::atomic:
    case op::wait_for: {
      const int after = block();
      into(e, nullptr, {}, after);
      enter(after);
      break;
    }
    case op::loop:
    case op::count:
      loops(e);
      break;
    case op::assign: {
      const expression& place = *e.parts[0];
      if (place.what == op::element) {
        const value a = eval(*place.parts[0])[0], i = eval(*place.parts[1])[0];
        const values v = eval(*e.parts[1], place.parts[0]->of->of());
        where_ = place.where;
        if (v.empty()) service(code::service::element, a, i, 0, false);  // for the index
        for (std::size_t k = 0; k < v.size(); ++k)
          emit({.what = opcode::service,
                .a = a,
                .b = i,
                .c = v[k],
                .k = static_cast<std::int64_t>(code::service::set_element),
                .u = static_cast<int>(k)});
      } else {
        assign(*place.var, eval(*e.parts[1], place.var->of));
      }
      break;
    }
    case op::past:
    case op::future:
      past(e);
      break;
    case op::reply: {
      const values v = eval(*e.parts[0], answer_.of);
      where_ = e.where;
      if (!e.parts[0]->of->is(type::kind::nothing)) reply_to(answer_, v, e.where);
      if (answer_.replied != code::none) emit({.what = opcode::set, .d = answer_.replied, .k = 1});
      if (leaves_ && !urgent_) {
        const value nobody = set(0);
        owe(nobody, nobody);
      }
      break;
    }
    case op::print:
      text_of(e);
      service(code::service::say, code::none, code::none, -1, false);
      break;
    case op::expect: {
      const int good = block(), bad = block();
      condition(*e.parts[0], good, bad);
      enter(bad);
      const std::string text(texts_.of(e.parts[0]->where).text(e.parts[0]->where));
      where_ = e.where;
      emit({.what = opcode::fail, .k = number_of_text("expected " + text.substr(0, text.find('\n')))});
      enter(good);
      break;
    }
    case op::exit: {
      const value v = eval(*e.parts[0])[0];
      where_ = e.where;
      service(code::service::exit, v, code::none, -1, false);
      end_here({.what = opcode::end});
      break;
    }
    case op::suicide:
      if (answer_.replied != code::none) require_reply(answer_);
      end_here({.what = opcode::finish, .k = 1});
      break;
    case op::non_resume:
      emit({.what = opcode::drop_interrupted});
      break;
    default:
      eval(e);
  }
  where_ = outer;
}

// ---- loops

// Express clauses may run, and others must be let, now and then.
void lowering::back_edge(value rounds) {
  if (rounds == code::none) return;
  const int poll = block(), after = block();
  emit({.what = opcode::add, .d = rounds, .a = rounds, .k = 1});
  branch_if(opcode::if_less, rounds, rounds_between_polls, after, poll);
  enter(poll);
  emit({.what = opcode::set, .d = rounds, .k = 0});
  const int paused = block();
  emit({.what = opcode::pause, .t = paused});
  enter(paused);
  emit({.what = opcode::poll, .t = after});
  enter(after);
}

void lowering::loops(const expression& e) {
  const bool polls = text_->interruptible && !urgent_;
  const value rounds = polls ? set(0) : code::none;
  const int head = block("loop"), body = block(), after = block();
  ++loops_;
  if (e.what == op::count) {
    const value first = eval(*e.parts[0])[0], last = eval(*e.parts[1])[0];
    const value i = moved(first), end = moved(last);
    bind(*e.vars[0], {i});
    jump(head);
    enter(head);
    emit({.what = opcode::if_less, .a = i, .b = end, .t = body, .u = after});
    enter(body);
    run(e.parts, 2, e.parts.size());
    where_ = e.where;
    back_edge(rounds);
    emit({.what = opcode::add, .d = i, .a = i, .k = 1});
  } else {
    jump(head);
    enter(head);
    condition(*e.parts[0], body, after);
    enter(body);
    run(e.parts, 1, e.parts.size());
    where_ = e.where;
    back_edge(rounds);
  }
  jump(head);
  --loops_;
  enter(after);
}

}  // namespace abcl
