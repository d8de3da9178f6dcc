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

void lowering::run(const std::vector<expression_ptr>& body, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) effect(*body[i]);
}

lowering::values lowering::eval(const expression& e, const type* want) {
  const span outer = where_;
  where_ = e.where;
  const auto value_of = [&]() -> values {
    switch (e.what) {
      case op::integer:
      case op::boolean:
        return {set(e.integer)};
      case op::real:
        return {set(std::bit_cast<std::int64_t>(e.real))};
      case op::text: {
        const value d = fresh();
        emit({.what = opcode::text, .d = d, .k = number_of_text(e.text)});
        return {d};
      }
      case op::nil: {
        values all;
        for (int i = 0; i < words_of(want != nullptr ? want : e.of); ++i) all.push_back(set(0));
        return all;
      }
      case op::me: {
        const value d = fresh();
        emit({.what = opcode::me, .d = d});
        if (wide_) return {d, set(0)};
        return {d};
      }
      case op::use:
        if (e.var->of->is(type::kind::nil)) {
          values all;
          for (int i = 0; i < words_of(want != nullptr ? want : e.of); ++i) all.push_back(set(0));
          return all;
        }
        return variable_values(*e.var);
      case op::message: {
        values all;
        for (std::size_t i = 0; i < e.parts.size(); ++i) {
          const type* part =
              want != nullptr && want->is(type::kind::message) && i < want->parts.size() ? want->parts[i] : nullptr;
          const values v = eval(*e.parts[i], part);
          all.insert(all.end(), v.begin(), v.end());
        }
        return all;
      }
      case op::destination: {
        const value me = fresh(), box = fresh();
        emit({.what = opcode::me, .d = me});
        emit({.what = opcode::name_box, .d = box, .a = boxes_.at(e.var)});
        return {me, box};
      }
      case op::create:
        return create(e);
      case op::now:
        return now(e);
      case op::sync:
      case op::sync2:
      case op::sync_all:
        return sync(e, want);
      case op::touch:
      case op::next_value:
        return touch(e);
      case op::is_ready: {
        const value f = future_of(*e.parts[0], e.where);
        const value first = load(f, code::words::next);
        const value d = fresh();
        emit({.what = opcode::unequal, .d = d, .a = first, .k = 0});
        return {d};
      }
      case op::make_future: {
        const value d = fresh();
        emit({.what = opcode::open_future, .d = d});
        return {d};
      }
      case op::make_array: {
        const value n = eval(*e.parts[0])[0];
        const type* const element = e.of->of();
        const values first = eval(*e.parts[1], element);
        const value a = service(code::service::make_array, n, code::none, layout_number(element));
        for (std::size_t i = 0; i < first.size(); ++i)
          emit({.what = opcode::service,
                .a = a,
                .c = first[i],
                .k = static_cast<std::int64_t>(code::service::set_all),
                .u = static_cast<int>(i)});
        return {a};
      }
      case op::element: {
        const value a = eval(*e.parts[0])[0], i = eval(*e.parts[1])[0];
        where_ = e.where;
        values all;
        const int count = words_of(e.parts[0]->of->of());
        for (int k = 0; k < count; ++k) all.push_back(service(code::service::element, a, i, k));
        if (count == 0) service(code::service::element, a, i, 0, false);  // for the index
        return all;
      }
      case op::length: {
        const value a = eval(*e.parts[0])[0];
        return {service(e.parts[0]->of->is(type::kind::text) ? code::service::text_length : code::service::length, a)};
      }
      case op::is_null: {
        const value a = eval(*e.parts[0])[0];
        const value d = fresh();
        emit({.what = opcode::equal, .d = d, .a = a, .k = 0});
        return {d};
      }
      case op::my_node:
        return {service(code::service::my_node)};
      case op::node_count:
        return {service(code::service::node_count)};
      case op::compute:
        return {operation_value(e)};
      case op::call: {
        values arguments;
        for (std::size_t i = 0; i < e.parts.size(); ++i) {
          const values v = eval(*e.parts[i], e.of_function->arguments[i]->of);
          arguments.insert(arguments.end(), v.begin(), v.end());
        }
        for (std::size_t i = 0; i < arguments.size(); ++i)
          emit({.what = opcode::argument, .a = arguments[i], .k = static_cast<std::int64_t>(i)});
        where_ = e.where;
        const int then = block();
        emit({.what = opcode::call, .k = function_numbers_.at(e.of_function), .t = then});
        enter(then);
        values all;
        for (int i = 0; i < words_of(e.of_function->result); ++i) {
          const value d = fresh();
          emit({.what = opcode::result, .d = d, .k = i});
          all.push_back(d);
        }
        return all;
      }
      case op::library:
        return library(e);
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
  };
  values all = value_of();
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

lowering::values lowering::library(const expression& e) {
  const library_function& f = *e.of_library;
  values v;
  for (const expression_ptr& part : e.parts) v.push_back(eval(*part)[0]);
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
