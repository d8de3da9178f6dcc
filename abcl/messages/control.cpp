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

void lowering::last_into(const expressions& body, const type* want, const values& result, int after) {
  if (body.empty()) return jump(after);
  for (std::size_t i = 0; i + 1 < body.size(); ++i) effect(*body[i]);
  into(*body.back(), want, result, after);
}

void lowering::choose(const tree::choose& e, const type* want, const values& result, int after) {
  const int yes = block(), no = e.no != nullptr ? block() : after;
  condition(*e.condition, yes, no);
  const int created = creations_;
  enter(yes);
  into(*e.yes, want, result, after);
  if (e.no == nullptr) return;
  creations_ = created;
  enter(no);
  into(*e.no, want, result, after);
}

void lowering::atomic(const tree::block& e, const type* want, const values& result, int after) {
  if (!text_->interruptible) return last_into(e.body, want, result, after);
  emit({.what = opcode::enter_atomic});
  const int leave = block();
  last_into(e.body, want, result, leave);
  enter(leave);
  emit({.what = opcode::leave_atomic});
  jump(after);
}

void lowering::let(const tree::let& e, const type* want, const values& result, int after) {
  for (const auto& [v, first] : e.variables) {
    values words;
    if (first != nullptr) {
      for (const value each : eval(*first, v->of)) words.push_back(moved(each));
    } else {
      for (int k = 0; k < words_of(v->of); ++k) words.push_back(set(0));
    }
    bind(*v, words);
  }
  last_into(e.body, want, result, after);
}

// Leaves the value of `e` in `result`, and goes on at `after`.
void lowering::into(const expression& e, const type* want, const values& result, int after) {
  const span outer = where_;
  where_ = e.where;
  switch (e.what) {
    case op::choose:
      choose(as<tree::choose>(e), want, result, after);
      break;
    case op::sequence:
      last_into(as<tree::block>(e).body, want, result, after);
      break;
    case op::atomic:
      atomic(as<tree::block>(e), want, result, after);
      break;
    case op::let:
      let(as<tree::let>(e), want, result, after);
      break;
    case op::match:
      match(as<tree::match>(e), want, result, after);
      break;
    case op::wait_for:
      accept({&as<tree::cases>(e).clauses, false, want, result, after});
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

// ---- what is done for its effect

void lowering::run(const expressions& body) {
  for (const expression_ptr& e : body) effect(*e);
}

void lowering::assign(const tree::assign& e) {
  const auto* const place = try_as<tree::element>(*e.place);
  if (place == nullptr) {
    const variable& v = *as<tree::name>(*e.place).var;
    return assign(v, eval(*e.value, v.of));
  }
  const value a = eval(*place->array)[0], i = eval(*place->index)[0];
  const values v = eval(*e.value, place->array->of->of());
  where_ = place->where;
  if (v.empty()) service(code::service::element, a, i, 0, false);  // for the index
  for (std::size_t k = 0; k < v.size(); ++k)
    emit({.what = opcode::service,
          .a = a,
          .b = i,
          .c = v[k],
          .k = static_cast<std::int64_t>(code::service::set_element),
          .u = static_cast<int>(k)});
}

void lowering::reply(const tree::unary& e) {
  const values v = eval(*e.operand, answer_.of);
  where_ = e.where;
  if (!e.operand->of->is(type::kind::nothing)) reply_to(answer_, v, e.where);
  if (answer_.replied != code::none) emit({.what = opcode::set, .d = answer_.replied, .k = 1});
  if (leaves_ && !express_clause_) {
    const value nobody = set(0);
    owe(nobody, nobody);
  }
}

void lowering::expect(const tree::unary& e) {
  const int good = block(), bad = block();
  condition(*e.operand, good, bad);
  enter(bad);
  const std::string text(texts_.of(e.operand->where).text(e.operand->where));
  where_ = e.where;
  emit({.what = opcode::fail, .k = number_of_text("expected " + text.substr(0, text.find('\n')))});
  enter(good);
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
      loop(as<tree::loop>(e));
      break;
    case op::count:
      count(as<tree::count>(e));
      break;
    case op::assign:
      assign(as<tree::assign>(e));
      break;
    case op::past:
    case op::future:
      past(as<tree::send>(e));
      break;
    case op::reply:
      reply(as<tree::unary>(e));
      break;
    case op::print:
      text_of(as<tree::print>(e).values, true);
      service(code::service::say, code::none, code::none, -1, false);
      break;
    case op::expect:
      expect(as<tree::unary>(e));
      break;
    case op::exit: {
      const value v = eval(*as<tree::unary>(e).operand)[0];
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

lowering::value lowering::rounds() { return text_->interruptible && !express_clause_ ? set(0) : code::none; }

void lowering::count(const tree::count& e) {
  const value turns = rounds();
  const int head = block("loop"), body = block(), after = block();
  ++loops_;
  const value first = eval(*e.first)[0], last = eval(*e.end)[0];
  const value i = moved(first), end = moved(last);
  bind(*e.counter, {i});
  jump(head);
  enter(head);
  emit({.what = opcode::if_less, .a = i, .b = end, .t = body, .u = after});
  enter(body);
  run(e.body);
  where_ = e.where;
  back_edge(turns);
  emit({.what = opcode::add, .d = i, .a = i, .k = 1});
  jump(head);
  --loops_;
  enter(after);
}

void lowering::loop(const tree::loop& e) {
  const value turns = rounds();
  const int head = block("loop"), body = block(), after = block();
  ++loops_;
  jump(head);
  enter(head);
  condition(*e.condition, body, after);
  enter(body);
  run(e.body);
  where_ = e.where;
  back_edge(turns);
  jump(head);
  --loops_;
  enter(after);
}

}  // namespace abcl
