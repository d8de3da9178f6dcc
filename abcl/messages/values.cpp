#include "abcl/messages/values.hpp"

#include <bit>

#include "abcl/check/library.hpp"
#include "abcl/messages/branches.hpp"
#include "abcl/messages/creations.hpp"
#include "abcl/messages/effects.hpp"
#include "abcl/messages/futures.hpp"
#include "abcl/messages/operators.hpp"
#include "abcl/messages/sends.hpp"
#include "abcl/messages/sync.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

// As many words as the place has where it goes.
values nil(const context& at, const type* of) {
  values all;
  for (int i = 0; i < at.program.words_of(of); ++i) all.push_back(at.out.set(0));
  return all;
}

values me(const context& at) {
  values all = {at.out.make({.what = opcode::me})};
  if (at.program.used.wide) all.push_back(at.out.set(0));
  return all;
}

// The destination that is a reply box of this object.
values name_of(const context& at, const variable& box) {
  const value object = at.out.make({.what = opcode::me});
  return {object, at.out.make({.what = opcode::name_box, .a = at.names.box(box)})};
}

values message(const context& at, const tree::message& e, const type* want) {
  values all;
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    const bool known = want != nullptr && want->is(type::kind::message) && i < want->parts.size();
    const values v = eval(at, *e.elements[i], known ? want->parts[i] : nullptr);
    all.insert(all.end(), v.begin(), v.end());
  }
  return all;
}

values array(const context& at, const tree::make_array& e) {
  const value n = eval(at, *e.length)[0];
  const type* const element = e.of->of();
  const values first = eval(at, *e.first, element);
  const value a = at.out.service(code::service::make_array, n, code::none, at.program.layout_of_elements(element));
  for (std::size_t i = 0; i < first.size(); ++i)
    at.out.emit({.what = opcode::service,
                 .a = a,
                 .c = first[i],
                 .k = static_cast<std::int64_t>(code::service::set_all),
                 .u = static_cast<int>(i)});
  return {a};
}

values element(const context& at, const tree::element& e) {
  const value a = eval(at, *e.array)[0], i = eval(at, *e.index)[0];
  at.out.stand_at(e.where);
  values all;
  const int count = at.program.words_of(e.array->of->of());
  for (int k = 0; k < count; ++k) all.push_back(at.out.service(code::service::element, a, i, k));
  if (count == 0) at.out.act(code::service::element, a, i, 0);  // for the index
  return all;
}

values subarray(const context& at, const tree::subarray& e) {
  const value a = eval(at, *e.array)[0], from = eval(at, *e.from)[0], to = eval(at, *e.to)[0];
  at.out.stand_at(e.where);
  const value d = at.out.fresh();
  at.out.emit({.what = opcode::service,
               .d = d,
               .a = a,
               .b = from,
               .c = to,
               .k = static_cast<std::int64_t>(code::service::subarray)});
  return {d};
}

values call(const context& at, const tree::call& e) {
  values arguments;
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    const values v = eval(at, *e.arguments[i], e.function->arguments[i]->of);
    arguments.insert(arguments.end(), v.begin(), v.end());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    at.out.emit({.what = opcode::argument, .a = arguments[i], .k = static_cast<std::int64_t>(i)});
  at.out.stand_at(e.where);
  const int then = at.out.block();
  at.out.emit({.what = opcode::call, .k = at.program.number_of(*e.function), .t = then});
  at.out.enter(then);
  values all;
  for (int i = 0; i < at.program.words_of(e.function->result); ++i)
    all.push_back(at.out.make({.what = opcode::result, .k = i}));
  return all;
}

values library(const context& at, const tree::library_call& e) {
  const library_function& f = *e.function;
  values v;
  for (const expression_ptr& part : e.arguments) v.push_back(eval(at, *part)[0]);
  v.resize(3, code::none);
  at.out.stand_at(e.where);
  if (f.result == library_type::texts) at.program.layout_of_texts();
  const int number = static_cast<int>(f.what);
  const value d = f.result == library_type::empty ? code::none : at.out.fresh();
  if (f.waits) {
    const int then = at.out.block();
    at.out.emit({.what = opcode::await_outside, .d = d, .k = number, .t = then});
    at.out.enter(then);
  } else {
    at.out.emit({.what = opcode::service,
                 .d = d,
                 .a = v[0],
                 .b = v[1],
                 .c = v[2],
                 .k = static_cast<std::int64_t>(code::service::library),
                 .u = number});
  }
  if (d == code::none) return {};
  return {d};
}

// What is asked of a future, an array, a text or an object.
values of_one(const context& at, const tree::unary& e) {
  if (e.what == op::touch || e.what == op::next_value) return touch(at, e);
  if (e.what == op::is_ready) {
    const value first = at.out.load(future_of(at, *e.operand, e.where), code::words::next);
    return {at.out.make({.what = opcode::unequal, .a = first, .k = 0})};
  }
  const value a = eval(at, *e.operand)[0];
  if (e.what == op::is_null) return {at.out.make({.what = opcode::equal, .a = a, .k = 0})};
  const bool is_text = e.operand->of->is(type::kind::text);
  return {at.out.service(is_text ? code::service::text_length : code::service::length, a)};
}

values value_of(const context& at, const expression& e, const type* want) {
  switch (e.what) {
    case op::integer:
    case op::boolean:
      return {at.out.set(as<tree::integer>(e).value)};
    case op::real:
      return {at.out.set(std::bit_cast<std::int64_t>(as<tree::real>(e).value))};
    case op::text:
      return {at.out.make({.what = opcode::text, .k = at.program.text(as<tree::text>(e).value)})};
    case op::nil:
      return nil(at, want != nullptr ? want : e.of);
    case op::me:
      return me(at);
    case op::use: {
      const variable& v = *as<tree::name>(e).var;
      if (v.of->is(type::kind::nil)) return nil(at, want != nullptr ? want : e.of);
      return at.names.read(v);
    }
    case op::message:
      return message(at, as<tree::message>(e), want);
    case op::destination:
      return name_of(at, *as<tree::name>(e).var);
    case op::create:
      return create(at, as<tree::create>(e));
    case op::now:
      return now(at, as<tree::send>(e));
    case op::sync:
    case op::sync2:
    case op::sync_all:
      return sync(at, as<tree::sync>(e), want);
    case op::touch:
    case op::next_value:
    case op::is_ready:
    case op::length:
    case op::is_null:
      return of_one(at, as<tree::unary>(e));
    case op::make_future:
      return {at.out.make({.what = opcode::open_future})};
    case op::make_array:
      return array(at, as<tree::make_array>(e));
    case op::element:
      return element(at, as<tree::element>(e));
    case op::subarray:
      return subarray(at, as<tree::subarray>(e));
    case op::my_node:
      return {at.out.service(code::service::my_node)};
    case op::node_count:
      return {at.out.service(code::service::node_count)};
    case op::compute:
      return {operation_value(at, as<tree::compute>(e))};
    case op::call:
      return call(at, as<tree::call>(e));
    case op::library:
      return library(at, as<tree::library_call>(e));
    case op::choose:
    case op::sequence:
    case op::let:
    case op::match:
    case op::atomic:
    case op::wait_for:
      return branches(at, e, want);
    default:
      effect(at, e);
      return {};
  }
}

// A value of type `of` where a `want` is expected, which may have more words: nil stands for an object as for a
// destination, and what has no value (!v) for anything.
values fitted(const context& at, const values& v, const type* of, const type* want) {
  // Whoever asks for no type takes two words at most.
  if (want == nullptr) return {at.out.set(0), at.out.set(0)};
  values all;
  std::size_t next = 0;
  const auto fit = [&](const auto& self, const type* from, const type* to) -> void {
    if (from->is(type::kind::message) && to->is(type::kind::message)) {
      // A message that is sent may be without its last element.
      for (std::size_t i = 0; i < from->parts.size() && i < to->parts.size(); ++i)
        self(self, from->parts[i], to->parts[i]);
      return;
    }
    const int there = at.program.words_of(from), wanted = at.program.words_of(to);
    for (int i = 0; i < wanted; ++i) {
      const bool has = i < there && next + static_cast<std::size_t>(i) < v.size();
      all.push_back(has ? v[next + static_cast<std::size_t>(i)] : at.out.set(0));
    }
    next += static_cast<std::size_t>(there);
  };
  fit(fit, of, want);
  return all;
}

}  // namespace

values eval(const context& at, const expression& e, const type* want) {
  const span outer = at.out.stand_at(e.where);
  values all = value_of(at, e, want);
  if (e.of->is(type::kind::nothing) || (want != nullptr && static_cast<int>(all.size()) != at.program.words_of(want)))
    all = fitted(at, all, e.of, want);
  at.out.stand_at(outer);
  return all;
}

}  // namespace abcl::messages
