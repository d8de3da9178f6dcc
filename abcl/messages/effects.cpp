#include "abcl/messages/effects.hpp"

#include "abcl/messages/branches.hpp"
#include "abcl/messages/loops.hpp"
#include "abcl/messages/operators.hpp"
#include "abcl/messages/replies.hpp"
#include "abcl/messages/sends.hpp"
#include "abcl/messages/values.hpp"
#include "abcl/messages/written_texts.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

// The elements of the value become those of a part of an array.
void assign_part(const context& at, const tree::subarray& place, const expression& of) {
  const value a = eval(at, *place.array)[0], from = eval(at, *place.from)[0], to = eval(at, *place.to)[0];
  const value v = eval(at, of, place.of)[0];
  at.out.stand_at(place.where);
  const auto act = [&](code::service what, value array, value c) {
    at.out.emit({.what = opcode::service, .a = array, .b = from, .c = c, .k = static_cast<std::int64_t>(what)});
  };
  act(code::service::require_subarray, a, to);
  act(code::service::require_length, v, to);
  act(code::service::set_subarray, a, v);
}

void assign(const context& at, const tree::assign& e) {
  if (const auto* const part = try_as<tree::subarray>(*e.place)) return assign_part(at, *part, *e.value);
  const auto* const place = try_as<tree::element>(*e.place);
  if (place == nullptr) {
    const variable& v = *as<tree::name>(*e.place).var;
    return at.names.assign(v, eval(at, *e.value, v.of));
  }
  const value a = eval(at, *place->array)[0], i = eval(at, *place->index)[0];
  const values v = eval(at, *e.value, place->array->of->of());
  at.out.stand_at(place->where);
  if (v.empty()) at.out.act(code::service::element, a, i, 0);  // for the index
  for (std::size_t k = 0; k < v.size(); ++k)
    at.out.emit({.what = opcode::service,
                 .a = a,
                 .b = i,
                 .c = v[k],
                 .k = static_cast<std::int64_t>(code::service::set_element),
                 .u = static_cast<int>(k)});
}

void expect(const context& at, const tree::unary& e) {
  const int good = at.out.block(), bad = at.out.block();
  condition(at, *e.operand, good, bad);
  at.out.enter(bad);
  const std::string text(at.program.source_of(e.operand->where));
  at.out.stand_at(e.where);
  at.out.fail("expected " + text.substr(0, text.find('\n')));
  at.out.enter(good);
}

}  // namespace

void effect(const context& at, const expression& e) {
  const span outer = at.out.stand_at(e.where);
  switch (e.what) {
    case op::choose:
    case op::sequence:
    case op::let:
    case op::match:
    case op::atomic:
    case op::wait_for: {
      const int after = at.out.block();
      into(at, e, nullptr, {}, after);
      at.out.enter(after);
      break;
    }
    case op::loop:
      loop(at, as<tree::loop>(e));
      break;
    case op::count:
      count(at, as<tree::count>(e));
      break;
    case op::assign:
      assign(at, as<tree::assign>(e));
      break;
    case op::past:
    case op::future:
      past(at, as<tree::send>(e));
      break;
    case op::reply:
      reply(at, as<tree::unary>(e));
      break;
    case op::print:
      text_of(at, as<tree::print>(e).values, true);
      at.out.act(code::service::say);
      break;
    case op::expect:
      expect(at, as<tree::unary>(e));
      break;
    case op::exit: {
      const value v = eval(at, *as<tree::unary>(e).operand)[0];
      at.out.stand_at(e.where);
      at.out.act(code::service::exit, v);
      at.out.end_here({.what = opcode::end});
      break;
    }
    case op::suicide:
      if (at.answer.replied != code::none) require_reply(at, at.answer);
      at.out.end_here({.what = opcode::finish, .k = 1});
      break;
    case op::leave_loop:
      leave_loop(at);
      break;
    case op::non_resume:
      at.out.emit({.what = opcode::drop_interrupted});
      break;
    default:
      eval(at, e);
  }
  at.out.stand_at(outer);
}

void run(const context& at, const expressions& body) {
  for (const expression_ptr& e : body) effect(at, *e);
}

}  // namespace abcl::messages
