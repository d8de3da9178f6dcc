// Expressions that compute, and control: each expression becomes the words of its value.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "abcl/check/analysis.hpp"
#include "abcl/check/library.hpp"
#include "abcl/messages/lowering.hpp"

namespace abcl {

using code::opcode;

namespace {

// An express clause may begin at each so many rounds of a loop.
constexpr int rounds_between_polls = 64;

bool is_small(const expression& e) { return e.what == op::integer && e.integer >= -32768 && e.integer < 32768; }

}  // namespace

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
        const value f = future_of(e);
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
    end({.what = opcode::await_outside, .d = d, .k = number, .t = then});
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
      end({.what = opcode::fail, .k = number_of_text("expected " + text.substr(0, text.find('\n')))});
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
  end({.what = opcode::pause, .t = paused});
  enter(paused);
  end({.what = opcode::poll, .t = after});
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

// ---- operators

void lowering::condition(const expression& e, int yes, int no) {
  if (e.what == op::compute) {
    if (e.does == operation::negate) return condition(*e.parts[0], no, yes);
    if (e.does == operation::both || e.does == operation::either) {
      for (std::size_t i = 0; i < e.parts.size(); ++i) {
        const bool last = i + 1 == e.parts.size();
        const int next = last ? -1 : block();
        if (e.does == operation::both) {
          condition(*e.parts[i], last ? yes : next, no);
        } else {
          condition(*e.parts[i], yes, last ? no : next);
        }
        if (!last) enter(next);
      }
      return;
    }
    const type* const t = e.parts[0]->of;
    const bool numbers = t->is(type::kind::integer) || t->is(type::kind::boolean);
    if (numbers && e.parts.size() == 2) {
      opcode what = opcode::if_equal;
      switch (e.does) {
        case operation::equal:
          break;
        case operation::unequal:
          what = opcode::if_unequal;
          break;
        case operation::less:
          what = opcode::if_less;
          break;
        case operation::at_most:
          what = opcode::if_at_most;
          break;
        case operation::greater:
          what = opcode::if_greater;
          break;
        case operation::at_least:
          what = opcode::if_at_least;
          break;
        default:
          what = opcode::end;
      }
      if (what != opcode::end) {
        const value a = eval(*e.parts[0])[0];
        const bool small = is_small(*e.parts[1]);
        const value b = small ? code::none : eval(*e.parts[1])[0];
        emit({.what = what, .a = a, .b = b, .k = small ? e.parts[1]->integer : 0, .t = yes, .u = no});
        return;
      }
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
lowering::values lowering::operands(const expression& e, std::vector<std::size_t>& first) {
  values all;
  const type* names = nullptr;  // nil has as many words as its neighbours
  for (const expression_ptr& part : e.parts) {
    if (!part->of->is(type::kind::nil) && (names == nullptr || part->of->is(type::kind::reply))) names = part->of;
  }
  for (const expression_ptr& part : e.parts) {
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

lowering::value lowering::operation_value(const expression& e) {
  const bool real = e.of->is(type::kind::real);
  switch (e.does) {
    case operation::both:
    case operation::either: {
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
    case operation::to_text: {
      text_of(e);
      return service(code::service::end_text);
    }
    case operation::negate:
    case operation::square_root:
    case operation::to_integer:
    case operation::to_real: {
      const value a = eval(*e.parts[0])[0];
      if (e.does == operation::to_integer && e.parts[0]->of->is(type::kind::integer)) return a;
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
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::divide:
    case operation::modulo: {
      const opcode what = e.does == operation::add        ? (real ? opcode::add_real : opcode::add)
                          : e.does == operation::subtract ? (real ? opcode::subtract_real : opcode::subtract)
                          : e.does == operation::multiply ? (real ? opcode::multiply_real : opcode::multiply)
                          : e.does == operation::divide   ? (real ? opcode::divide_real : opcode::divide)
                                                          : opcode::modulo;
      // A small number is part of the instruction.
      if (!real && e.parts.size() == 2 && is_small(*e.parts[1])) {
        const value a = eval(*e.parts[0])[0], d = fresh();
        where_ = e.where;
        emit({.what = what, .d = d, .a = a, .k = e.parts[1]->integer});
        return d;
      }
      std::vector<std::size_t> first;
      const values v = operands(e, first);
      where_ = e.where;
      if (e.parts.size() == 1) {
        if (e.does != operation::subtract) return v[0];
        if (!real) return compute(opcode::subtract, set(0), v[0]);
        const value d = fresh();
        emit({.what = opcode::negate_real, .d = d, .a = v[0]});
        return d;
      }
      value all = v[0];
      for (std::size_t i = 1; i < e.parts.size(); ++i) all = compute(what, all, v[first[i]]);
      return all;
    }
    default: {
      std::vector<std::size_t> first;
      const values v = operands(e, first);
      const auto part = [&](std::size_t i) {
        return values(v.begin() + static_cast<std::ptrdiff_t>(first[i]),
                      v.begin() + static_cast<std::ptrdiff_t>(first[i + 1]));
      };
      value all = code::none;
      for (std::size_t i = 0; i + 1 < e.parts.size(); ++i) {
        const value each = compared(e.does, e.parts[i]->of->is(type::kind::nil) ? e.parts[i + 1]->of : e.parts[i]->of,
                                    part(i), part(i + 1));
        all = all == code::none ? each : compute(opcode::multiply, all, each);
      }
      return all == code::none ? set(1) : all;
    }
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

// The text of all parts: with spaces for print, without for str.
void lowering::text_of(const expression& e) {
  std::vector<values> all;
  for (const expression_ptr& part : e.parts) all.push_back(eval(*part));
  where_ = e.where;
  service(code::service::begin_text, code::none, code::none, -1, false);
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    if (i != 0 && e.what == op::print) append_literal(" ");
    std::size_t at = 0;
    if (e.parts[i]->of->is(type::kind::message) && e.parts[i]->of->parts.empty()) {
      append_literal("[]");
    } else {
      append(e.parts[i]->of, all[i], at);
    }
  }
}

}  // namespace abcl
