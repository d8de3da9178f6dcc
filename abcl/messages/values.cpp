// Expressions: each becomes the words of its value.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "abcl/check/analysis.hpp"
#include "abcl/check/library.hpp"
#include "abcl/messages/lowering.hpp"

namespace abcl {

using code::opcode;

void lowering::bind(const variable& v, values to) {
  if (text_->notes.size() < static_cast<std::size_t>(next_value_))
    text_->notes.resize(static_cast<std::size_t>(next_value_));
  for (const value each : to) text_->notes[static_cast<std::size_t>(each)] = v.name;
  locals_[&v] = std::move(to);
}

lowering::values lowering::variable_values(const variable& v) {
  values all;
  if (const auto word = words_.find(&v); word != words_.end()) {
    for (int i = 0; i < words_of(v.of); ++i) all.push_back(load(code::segment, word->second + i));
    return all;
  }
  for (const value each : locals_.at(&v)) all.push_back(moved(each));
  return all;
}

void lowering::assign(const variable& v, const values& to) {
  if (const auto word = words_.find(&v); word != words_.end()) {
    for (std::size_t i = 0; i < to.size(); ++i) store(code::segment, word->second + static_cast<int>(i), to[i]);
    return;
  }
  const values& places = locals_.at(&v);
  for (std::size_t i = 0; i < to.size(); ++i) emit({.what = opcode::move, .d = places[i], .a = to[i]});
}

// As many words as the place has where it goes.
lowering::values lowering::nil(const type* of) {
  values all;
  for (int i = 0; i < words_of(of); ++i) all.push_back(set(0));
  return all;
}

lowering::values lowering::message(const tree::message& e, const type* want) {
  values all;
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    const bool known = want != nullptr && want->is(type::kind::message) && i < want->parts.size();
    const values v = eval(*e.elements[i], known ? want->parts[i] : nullptr);
    all.insert(all.end(), v.begin(), v.end());
  }
  return all;
}

lowering::values lowering::array(const tree::make_array& e) {
  const value n = eval(*e.length)[0];
  const type* const element = e.of->of();
  const values first = eval(*e.first, element);
  const value a = service(code::service::make_array, n, code::none, layout_number(element));
  for (std::size_t i = 0; i < first.size(); ++i)
    emit({.what = opcode::service,
          .a = a,
          .c = first[i],
          .k = static_cast<std::int64_t>(code::service::set_all),
          .u = static_cast<int>(i)});
  return {a};
}

lowering::values lowering::element(const tree::element& e) {
  const value a = eval(*e.array)[0], i = eval(*e.index)[0];
  where_ = e.where;
  values all;
  const int count = words_of(e.array->of->of());
  for (int k = 0; k < count; ++k) all.push_back(service(code::service::element, a, i, k));
  if (count == 0) service(code::service::element, a, i, 0, false);  // for the index
  return all;
}

lowering::values lowering::call(const tree::call& e) {
  values arguments;
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    const values v = eval(*e.arguments[i], e.function->arguments[i]->of);
    arguments.insert(arguments.end(), v.begin(), v.end());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    emit({.what = opcode::argument, .a = arguments[i], .k = static_cast<std::int64_t>(i)});
  where_ = e.where;
  const int then = block();
  emit({.what = opcode::call, .k = function_numbers_.at(e.function), .t = then});
  enter(then);
  values all;
  for (int i = 0; i < words_of(e.function->result); ++i) {
    const value d = fresh();
    emit({.what = opcode::result, .d = d, .k = i});
    all.push_back(d);
  }
  return all;
}

lowering::values lowering::one(step s) {
  s.d = fresh();
  emit(s);
  return {s.d};
}

lowering::values lowering::me() {
  values all = one({.what = opcode::me});
  if (wide_) all.push_back(set(0));
  return all;
}

// The destination that is a reply box of this object.
lowering::values lowering::name_of(const variable& box) {
  const value object = fresh(), name = fresh();
  emit({.what = opcode::me, .d = object});
  emit({.what = opcode::name_box, .d = name, .a = boxes_.at(&box)});
  return {object, name};
}

// What is asked of a future, an array, a text or an object.
lowering::values lowering::of_one(const tree::unary& e) {
  if (e.what == op::touch || e.what == op::next_value) return touch(e);
  if (e.what == op::is_ready) {
    const value first = load(future_of(*e.operand, e.where), code::words::next);
    return one({.what = opcode::unequal, .a = first, .k = 0});
  }
  const value a = eval(*e.operand)[0];
  if (e.what == op::is_null) return one({.what = opcode::equal, .a = a, .k = 0});
  const bool is_text = e.operand->of->is(type::kind::text);
  return {service(is_text ? code::service::text_length : code::service::length, a)};
}

lowering::values lowering::value_of(const expression& e, const type* want) {
  switch (e.what) {
    case op::integer:
    case op::boolean:
      return {set(as<tree::integer>(e).value)};
    case op::real:
      return {set(std::bit_cast<std::int64_t>(as<tree::real>(e).value))};
    case op::text:
      return one({.what = opcode::text, .k = number_of_text(as<tree::text>(e).value)});
    case op::nil:
      return nil(want != nullptr ? want : e.of);
    case op::me:
      return me();
    case op::use: {
      const variable& v = *as<tree::name>(e).var;
      if (v.of->is(type::kind::nil)) return nil(want != nullptr ? want : e.of);
      return variable_values(v);
    }
    case op::message:
      return message(as<tree::message>(e), want);
    case op::destination:
      return name_of(*as<tree::name>(e).var);
    case op::create:
      return create(as<tree::create>(e));
    case op::now:
      return now(as<tree::send>(e));
    case op::sync:
    case op::sync2:
    case op::sync_all:
      return sync(as<tree::sync>(e), want);
    case op::touch:
    case op::next_value:
    case op::is_ready:
    case op::length:
    case op::is_null:
      return of_one(as<tree::unary>(e));
    case op::make_future:
      return one({.what = opcode::open_future});
    case op::make_array:
      return array(as<tree::make_array>(e));
    case op::element:
      return element(as<tree::element>(e));
    case op::my_node:
      return {service(code::service::my_node)};
    case op::node_count:
      return {service(code::service::node_count)};
    case op::compute:
      return {operation_value(as<tree::compute>(e))};
    case op::call:
      return call(as<tree::call>(e));
    case op::library:
      return library(as<tree::library_call>(e));
    case op::choose:
    case op::sequence:
    case op::let:
    case op::match:
    case op::atomic:
    case op::wait_for:
      return branches(e, want);
    default:
      effect(e);
      return {};
  }
}

lowering::values lowering::eval(const expression& e, const type* want) {
  const span outer = where_;
  where_ = e.where;
  values all = value_of(e, want);
  if (e.of->is(type::kind::nothing) || (want != nullptr && static_cast<int>(all.size()) != words_of(want)))
    all = fitted(all, e.of, want);
  where_ = outer;
  return all;
}

// A value of type `of` where a `want` is expected, which may have more words: nil stands for an object as for a
// destination, and what has no value (!v) for anything.
lowering::values lowering::fitted(const values& v, const type* of, const type* want) {
  values all;
  std::size_t at = 0;
  const auto fit = [&](const auto& self, const type* from, const type* to) -> void {
    if (from->is(type::kind::message) && to->is(type::kind::message)) {
      // A message that is sent may be without its last element.
      for (std::size_t i = 0; i < from->parts.size() && i < to->parts.size(); ++i)
        self(self, from->parts[i], to->parts[i]);
      return;
    }
    const int there = words_of(from), wanted = words_of(to);
    for (int i = 0; i < wanted; ++i) {
      const bool has = i < there && at + static_cast<std::size_t>(i) < v.size();
      all.push_back(has ? v[at + static_cast<std::size_t>(i)] : set(0));
    }
    at += static_cast<std::size_t>(there);
  };
  if (want != nullptr) {
    fit(fit, of, want);
  } else {
    // Whoever asks for no type takes two words at most.
    all = {set(0), set(0)};
  }
  return all;
}

lowering::values lowering::library(const tree::library_call& e) {
  const library_function& f = *e.function;
  values v;
  for (const expression_ptr& part : e.arguments) v.push_back(eval(*part)[0]);
  v.resize(3, code::none);
  where_ = e.where;
  if (f.result == library_type::texts) layout_number(code::layout{1});
  const int number = static_cast<int>(f.what);
  const value d = f.result == library_type::empty ? code::none : fresh();
  if (f.waits) {
    const int then = block();
    emit({.what = opcode::await_outside, .d = d, .k = number, .t = then});
    enter(then);
  } else {
    emit({.what = opcode::service,
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

}  // namespace abcl
