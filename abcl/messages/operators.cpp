// Operators and conditions, and the texts of print and str.
#include <fmt/format.h>

#include "abcl/check/analysis.hpp"
#include "abcl/messages/lowering.hpp"

namespace abcl {

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

}  // namespace

void lowering::condition(const expression& e, int yes, int no) {
  if (const auto* const c = try_as<tree::compute>(e)) {
    const expressions& parts = c->operands;
    if (c->does == operation::negate) return condition(*parts[0], no, yes);
    if (c->does == operation::both || c->does == operation::either) {
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const int next = block();
        condition(*parts[i], c->does == operation::both ? next : yes, c->does == operation::both ? no : next);
        enter(next);
      }
      return condition(*parts.back(), yes, no);
    }
    const type* const t = parts[0]->of;
    const bool numbers = t->is(type::kind::integer) || t->is(type::kind::boolean);
    const opcode what = branch_of(c->does);
    if (numbers && parts.size() == 2 && what != opcode::end) {
      const value a = eval(*parts[0])[0];
      const tree::integer* const n = small(*parts[1]);
      const value b = n != nullptr ? code::none : eval(*parts[1])[0];
      return emit({.what = what, .a = a, .b = b, .k = n != nullptr ? n->value : 0, .t = yes, .u = no});
    }
  }
  if (e.of->is(type::kind::nothing)) {
    effect(e);
    return jump(no);
  }
  const values v = eval(e);
  if (v.empty()) return jump(no);
  branch_if(opcode::if_unequal, v[0], 0, yes, no);
}

// All of them, one after the other; `first` has where each begins.
lowering::values lowering::operands(const expressions& parts, std::vector<std::size_t>& first) {
  values all;
  const type* names = nullptr;  // nil has as many words as its neighbours
  for (const expression_ptr& part : parts) {
    if (!part->of->is(type::kind::nil) && (names == nullptr || part->of->is(type::kind::reply))) names = part->of;
  }
  for (const expression_ptr& part : parts) {
    first.push_back(all.size());
    const values v = eval(*part, names);
    all.insert(all.end(), v.begin(), v.end());
  }
  first.push_back(all.size());
  return all;
}

lowering::value lowering::compared(operation does, const type* t, const values& a, const values& b) {
  value x = a[0], y = b[0];
  opcode equal = opcode::equal, unequal = opcode::unequal, less = opcode::less, at_most = opcode::at_most;
  if (t->is(type::kind::text)) {
    x = service(code::service::compare_texts, x, y);
    y = set(0);
  } else if (t->is(type::kind::real)) {
    equal = opcode::equal_real, unequal = opcode::unequal_real, less = opcode::less_real,
    at_most = opcode::at_most_real;
  }
  switch (does) {
    case operation::equal:
    case operation::unequal: {
      value all = compute(equal, x, y);
      if (a.size() == 2 && b.size() == 2) all = compute(opcode::multiply, all, compute(opcode::equal, a[1], b[1]));
      if (does == operation::equal) return all;
      if (a.size() == 1) return compute(unequal, x, y);
      const value d = fresh();
      emit({.what = opcode::flip, .d = d, .a = all});
      return d;
    }
    case operation::less:
      return compute(less, x, y);
    case operation::at_most:
      return compute(at_most, x, y);
    case operation::greater:
      return compute(less, y, x);
    default:
      return compute(at_most, y, x);
  }
}

// The value of a condition.
lowering::value lowering::truth(const tree::compute& e) {
  const int yes = block(), no = block(), after = block();
  const value d = fresh();
  condition(e, yes, no);
  enter(yes);
  emit({.what = opcode::set, .d = d, .k = 1});
  jump(after);
  enter(no);
  emit({.what = opcode::set, .d = d, .k = 0});
  jump(after);
  enter(after);
  return d;
}

lowering::value lowering::converted(const tree::compute& e) {
  const expression& from = *e.operands[0];
  const value a = eval(from)[0];
  if (e.does == operation::to_integer && from.of->is(type::kind::integer)) return a;
  const value d = fresh();
  where_ = e.where;
  emit({.what = e.does == operation::negate        ? opcode::flip
                : e.does == operation::square_root ? opcode::root
                : e.does == operation::to_integer  ? opcode::to_integer
                                                   : opcode::to_real,
        .d = d,
        .a = a});
  return d;
}

lowering::value lowering::arithmetic(const tree::compute& e) {
  const bool real = e.of->is(type::kind::real);
  const opcode what = e.does == operation::add        ? (real ? opcode::add_real : opcode::add)
                      : e.does == operation::subtract ? (real ? opcode::subtract_real : opcode::subtract)
                      : e.does == operation::multiply ? (real ? opcode::multiply_real : opcode::multiply)
                      : e.does == operation::divide   ? (real ? opcode::divide_real : opcode::divide)
                                                      : opcode::modulo;
  const tree::integer* const n = !real && e.operands.size() == 2 ? small(*e.operands[1]) : nullptr;
  if (n != nullptr) {
    const value a = eval(*e.operands[0])[0], d = fresh();
    where_ = e.where;
    emit({.what = what, .d = d, .a = a, .k = n->value});
    return d;
  }
  std::vector<std::size_t> first;
  const values v = operands(e.operands, first);
  where_ = e.where;
  if (e.operands.size() == 1) {
    if (e.does != operation::subtract) return v[0];
    if (!real) return compute(opcode::subtract, set(0), v[0]);
    const value d = fresh();
    emit({.what = opcode::negate_real, .d = d, .a = v[0]});
    return d;
  }
  value all = v[0];
  for (std::size_t i = 1; i < e.operands.size(); ++i) all = compute(what, all, v[first[i]]);
  return all;
}

lowering::value lowering::comparison(const tree::compute& e) {
  std::vector<std::size_t> first;
  const values v = operands(e.operands, first);
  const auto part = [&](std::size_t i) {
    return values(v.begin() + static_cast<std::ptrdiff_t>(first[i]),
                  v.begin() + static_cast<std::ptrdiff_t>(first[i + 1]));
  };
  value all = code::none;
  for (std::size_t i = 0; i + 1 < e.operands.size(); ++i) {
    const type* const left = e.operands[i]->of;
    const type* const of = left->is(type::kind::nil) ? e.operands[i + 1]->of : left;
    const value each = compared(e.does, of, part(i), part(i + 1));
    all = all == code::none ? each : compute(opcode::multiply, all, each);
  }
  return all == code::none ? set(1) : all;
}

lowering::value lowering::operation_value(const tree::compute& e) {
  switch (e.does) {
    case operation::both:
    case operation::either:
      return truth(e);
    case operation::to_text:
      text_of(e.operands, false);
      return service(code::service::end_text);
    case operation::negate:
    case operation::square_root:
    case operation::to_integer:
    case operation::to_real:
      return converted(e);
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::divide:
    case operation::modulo:
      return arithmetic(e);
    default:
      return comparison(e);
  }
}

// ---- texts

void lowering::append_literal(const std::string& text) {
  const value d = fresh();
  emit({.what = opcode::text, .d = d, .k = number_of_text(text)});
  service(code::service::append_text, d, code::none, -1, false);
}

void lowering::append(const type* t, const values& v, std::size_t& at) {
  const auto one = [&](code::service what) { service(what, v[at++], code::none, -1, false); };
  switch (t->what) {
    case type::kind::integer:
      return one(code::service::append_int);
    case type::kind::real:
      return one(code::service::append_real);
    case type::kind::boolean:
      return one(code::service::append_bool);
    case type::kind::text:
      return one(code::service::append_text);
    case type::kind::array:
      return one(code::service::append_array);
    case type::kind::message:
      append_literal("[");
      for (std::size_t i = 0; i < t->parts.size(); ++i) {
        if (i != 0) append_literal(" ");
        append(t->parts[i], v, at);
      }
      return append_literal("]");
    case type::kind::object:
    case type::kind::a_class:
    case type::kind::reply:
    case type::kind::nil: {
      const bool two = words_of(t) == 2;
      service(code::service::append_name, v[at], two ? v[at + 1] : code::none, -1, false);
      at += two ? 2 : 1;
      return;
    }
    default:
      return;
  }
}

// The text of all parts: with spaces between them for print, without for str.
void lowering::text_of(const expressions& parts, bool spaced) {
  std::vector<values> all;
  for (const expression_ptr& part : parts) all.push_back(eval(*part));
  service(code::service::begin_text, code::none, code::none, -1, false);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0 && spaced) append_literal(" ");
    std::size_t at = 0;
    if (parts[i]->of->is(type::kind::message) && parts[i]->of->parts.empty()) {
      append_literal("[]");
    } else {
      append(parts[i]->of, all[i], at);
    }
  }
}

}  // namespace abcl
