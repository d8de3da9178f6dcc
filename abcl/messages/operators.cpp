#include "abcl/messages/operators.hpp"

#include "abcl/messages/effects.hpp"
#include "abcl/messages/values.hpp"
#include "abcl/messages/written_texts.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

// A small number is part of an instruction. Null: it is none.
const tree::integer* small(const expression& e) {
  const auto* const n = e.what == op::integer ? &as<tree::integer>(e) : nullptr;
  return n != nullptr && n->value >= -32768 && n->value < 32768 ? n : nullptr;
}

// The branch that compares two Ints so; opcode::end: there is none.
opcode branch_of(operation does) {
  switch (does) {
    case operation::equal:
      return opcode::if_equal;
    case operation::unequal:
      return opcode::if_unequal;
    case operation::less:
      return opcode::if_less;
    case operation::at_most:
      return opcode::if_at_most;
    case operation::greater:
      return opcode::if_greater;
    case operation::at_least:
      return opcode::if_at_least;
    default:
      return opcode::end;
  }
}

// All of them, one after the other; `first` has where each begins.
values operands(const context& at, const expressions& parts, std::vector<std::size_t>& first) {
  values all;
  const type* names = nullptr;  // nil has as many words as its neighbours
  for (const expression_ptr& part : parts) {
    if (!part->of->is(type::kind::nil) && (names == nullptr || part->of->is(type::kind::reply))) names = part->of;
  }
  for (const expression_ptr& part : parts) {
    first.push_back(all.size());
    const values v = eval(at, *part, names);
    all.insert(all.end(), v.begin(), v.end());
  }
  first.push_back(all.size());
  return all;
}

// The value of a condition.
value truth(const context& at, const tree::compute& e) {
  const int yes = at.out.block(), no = at.out.block(), after = at.out.block();
  const value d = at.out.fresh();
  condition(at, e, yes, no);
  at.out.enter(yes);
  at.out.emit({.what = opcode::set, .d = d, .k = 1});
  at.out.jump(after);
  at.out.enter(no);
  at.out.emit({.what = opcode::set, .d = d, .k = 0});
  at.out.jump(after);
  at.out.enter(after);
  return d;
}

value converted(const context& at, const tree::compute& e) {
  const expression& from = *e.operands[0];
  const value a = eval(at, from)[0];
  if (e.does == operation::to_integer && from.of->is(type::kind::integer)) return a;
  at.out.stand_at(e.where);
  return at.out.make({.what = e.does == operation::negate        ? opcode::flip
                              : e.does == operation::square_root ? opcode::root
                              : e.does == operation::to_integer  ? opcode::to_integer
                                                                 : opcode::to_real,
                      .a = a});
}

value arithmetic(const context& at, const tree::compute& e) {
  const bool real = e.of->is(type::kind::real);
  const opcode what = e.does == operation::add        ? (real ? opcode::add_real : opcode::add)
                      : e.does == operation::subtract ? (real ? opcode::subtract_real : opcode::subtract)
                      : e.does == operation::multiply ? (real ? opcode::multiply_real : opcode::multiply)
                      : e.does == operation::divide   ? (real ? opcode::divide_real : opcode::divide)
                                                      : opcode::modulo;
  const tree::integer* const n = !real && e.operands.size() == 2 ? small(*e.operands[1]) : nullptr;
  if (n != nullptr) {
    const value a = eval(at, *e.operands[0])[0];
    at.out.stand_at(e.where);
    return at.out.make({.what = what, .a = a, .k = n->value});
  }
  if (e.operands.size() == 1) {
    const value v = eval(at, *e.operands[0])[0];
    at.out.stand_at(e.where);
    if (e.does != operation::subtract) return v;
    if (!real) return at.out.compute(opcode::subtract, at.out.set(0), v);
    return at.out.make({.what = opcode::negate_real, .a = v});
  }
  // What cannot fail is done as operands come, so that no more than two of them need a register at a time. Before a
  // division all of them are known, since what they do happens even where it fails.
  if (real || (e.does != operation::divide && what != opcode::modulo)) {
    value all = eval(at, *e.operands[0])[0];
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const value next = eval(at, *e.operands[i])[0];
      at.out.stand_at(e.where);
      all = at.out.compute(what, all, next);
    }
    return all;
  }
  std::vector<std::size_t> first;
  const values v = operands(at, e.operands, first);
  at.out.stand_at(e.where);
  value all = v[0];
  for (std::size_t i = 1; i < e.operands.size(); ++i) all = at.out.compute(what, all, v[first[i]]);
  return all;
}

value comparison(const context& at, const tree::compute& e) {
  std::vector<std::size_t> first;
  const values v = operands(at, e.operands, first);
  const auto part = [&](std::size_t i) {
    return values(v.begin() + static_cast<std::ptrdiff_t>(first[i]),
                  v.begin() + static_cast<std::ptrdiff_t>(first[i + 1]));
  };
  value all = code::none;
  for (std::size_t i = 0; i + 1 < e.operands.size(); ++i) {
    const type* const left = e.operands[i]->of;
    const type* const of = left->is(type::kind::nil) ? e.operands[i + 1]->of : left;
    const value each = compared(at, e.does, of, part(i), part(i + 1));
    all = all == code::none ? each : at.out.compute(opcode::multiply, all, each);
  }
  return all == code::none ? at.out.set(1) : all;
}

}  // namespace

value operation_value(const context& at, const tree::compute& e) {
  switch (e.does) {
    case operation::both:
    case operation::either:
      return truth(at, e);
    case operation::to_text:
      text_of(at, e.operands, false);
      return at.out.service(code::service::end_text);
    case operation::negate:
    case operation::square_root:
    case operation::to_integer:
    case operation::to_real:
      return converted(at, e);
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::divide:
    case operation::modulo:
      return arithmetic(at, e);
    default:
      return comparison(at, e);
  }
}

value compared(const context& at, operation does, const type* t, const values& a, const values& b) {
  value x = a[0], y = b[0];
  opcode equal = opcode::equal, unequal = opcode::unequal, less = opcode::less, at_most = opcode::at_most;
  if (t->is(type::kind::text)) {
    x = at.out.service(code::service::compare_texts, x, y);
    y = at.out.set(0);
  } else if (t->is(type::kind::real)) {
    equal = opcode::equal_real, unequal = opcode::unequal_real, less = opcode::less_real,
    at_most = opcode::at_most_real;
  }
  switch (does) {
    case operation::equal:
    case operation::unequal: {
      value all = at.out.compute(equal, x, y);
      if (a.size() == 2 && b.size() == 2)
        all = at.out.compute(opcode::multiply, all, at.out.compute(opcode::equal, a[1], b[1]));
      if (does == operation::equal) return all;
      if (a.size() == 1) return at.out.compute(unequal, x, y);
      return at.out.make({.what = opcode::flip, .a = all});
    }
    case operation::less:
      return at.out.compute(less, x, y);
    case operation::at_most:
      return at.out.compute(at_most, x, y);
    case operation::greater:
      return at.out.compute(less, y, x);
    default:
      return at.out.compute(at_most, y, x);
  }
}

void condition(const context& at, const expression& e, int yes, int no) {
  if (const auto* const c = try_as<tree::compute>(e)) {
    const expressions& parts = c->operands;
    if (c->does == operation::negate) return condition(at, *parts[0], no, yes);
    if (c->does == operation::both || c->does == operation::either) {
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const int next = at.out.block();
        condition(at, *parts[i], c->does == operation::both ? next : yes, c->does == operation::both ? no : next);
        at.out.enter(next);
      }
      return condition(at, *parts.back(), yes, no);
    }
    const type* const t = parts[0]->of;
    const bool numbers = t->is(type::kind::integer) || t->is(type::kind::boolean);
    const opcode what = branch_of(c->does);
    if (numbers && parts.size() == 2 && what != opcode::end) {
      const value a = eval(at, *parts[0])[0];
      const tree::integer* const n = small(*parts[1]);
      const value b = n != nullptr ? code::none : eval(at, *parts[1])[0];
      return at.out.emit({.what = what, .a = a, .b = b, .k = n != nullptr ? n->value : 0, .t = yes, .u = no});
    }
  }
  if (e.of->is(type::kind::nothing)) {
    effect(at, e);
    return at.out.jump(no);
  }
  const values v = eval(at, e);
  if (v.empty()) return at.out.jump(no);
  at.out.branch_if(opcode::if_unequal, v[0], 0, yes, no);
}

}  // namespace abcl::messages
