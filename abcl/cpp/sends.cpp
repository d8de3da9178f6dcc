#include "abcl/cpp/sends.hpp"

#include <fmt/format.h>

#include <utility>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/values.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::cpp {

namespace {

// Whether it goes by the interface for express messages.
bool interrupts_unknown(function_scope& in, const tree::send& e) {
  return e.express && in.plan.taken_by(e) == nullptr && in.plan.selector_of(e.selector).express_by_interface;
}

// Whether it goes ahead of what waits. Where there are clauses for it, it need not: they begin at once.
bool by_express(function_scope& in, const tree::send& e) {
  const method* const m = in.plan.taken_by(e);
  return e.express && (m != nullptr ? !m->express : !interrupts_unknown(in, e));
}

// The first `count` elements of the message, as arguments; `target` becomes the receiver.
std::vector<std::string> sent(function_scope& in, const tree::send& e, std::size_t count, std::string& target) {
  std::vector<const expression*> parts{e.target.get()};
  for (std::size_t i = 0; i < count; ++i) parts.push_back(e.elements[i].get());
  const std::vector<cpp_value> v = values_of(in, parts);
  target = v[0].operand();
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(copied(e.elements[i]->of, v[i + 1]));
  return list;
}

// The value of the target, which is the same when the message `e.whole` has been evaluated.
std::string kept_target(function_scope& in, const tree::send& e) {
  const cpp_value to = value(in, *e.target);
  const bool stays = is_constant(*e.target) || to.is_constant || !has_effects(*e.whole);
  return stays ? to.operand() : in.kept("target", "abcl::name", to).text;
}

std::vector<std::string> sent_elements(function_scope& in, const expression& message) {
  const std::vector<cpp_value> v = elements(in, message);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < v.size(); ++i)
    list.push_back(copied(message.of->is(type::kind::message) ? message.of->parts[i] : message.of, v[i]));
  return list;
}

// All of them.
std::vector<std::string> sent(function_scope& in, const tree::send& e, std::string& target) {
  if (e.whole != nullptr) {
    target = kept_target(in, e);
    return sent_elements(in, *e.whole);
  }
  return sent(in, e, e.elements.size(), target);
}

// What stands before `.past<...>`.
std::string sent_to(function_scope& in, const tree::send& e, const std::string& target) {
  const method* const m = in.plan.taken_by(e);
  if (e.target->what == op::create && m != nullptr) return target;
  if (m != nullptr) return fmt::format("abcl::to<{}>({}, {})", m->of->name, target, in.site(e.where));
  const std::string of = in.plan.selector_of(e.selector).interface(interrupts_unknown(in, e));
  return fmt::format("abcl::to<{}>({}, {})", of, target, in.site(e.where));
}

// The last element of a message that wants a reply, sent there.
std::string asked_at(function_scope& in, const std::string& destination, span where) {
  return fmt::format("abcl::destination({}, {})", destination, in.site(where));
}

// A question to a class that is known, whose method replies to who asks. `waits`: by itself, so that it has to know
// where.
std::string asked_directly(function_scope& in, const tree::send& e, const std::string& target,
                           const std::vector<std::string>& list, bool waits) {
  const method& m = *in.plan.taken_by(e);
  const bool once = e.target->what == op::create;
  std::string to = target;
  if (waits || !once) {
    const std::string where = in.site(e.where, waits ? awaited_reply(e) : std::string());
    to = fmt::format("abcl::{}<{}>({}, {})", once ? "target" : "to", m.of->name, target, where);
  }
  return fmt::format("{}.now<{}>({})", to, pointer(m, false, once), joined(list));
}

// [name <= v], where a reply goes that is of a type `of`.
void reply_by_name(function_scope& in, const std::string& name, const type* of, const expression& v, span where) {
  const std::string type = cpp_type(of);
  selector* const s = in.plan.interface_of_reply(of);
  if (s == nullptr) {
    const std::string what = has_value(of) ? copied(v.of, value(in, v)) : (statement(in, v), "abcl::none()");
    in.at(where);
    return in.line(fmt::format("abcl::reply<{}>({}, {}, {});", type, name, in.site(where), what));
  }
  std::vector<std::string> list;
  if (of->is(type::kind::message)) {
    list = sent_elements(in, v);
  } else {
    list.push_back(copied(v.of, value(in, v)));
  }
  in.at(where);
  list.insert(list.begin(), {name, in.site(where)});
  in.line(fmt::format("abcl::reply_or_send<{}, {}>({});", pointer(*s, false), type, joined(list)));
}

}  // namespace

void past(function_scope& in, const tree::send& e) {
  const type* const target_type = e.target->of;
  if (target_type->is(type::kind::reply))
    return reply_by_name(in, kept_target(in, e), target_type->of(), *e.whole, e.where);
  std::string target;
  std::vector<std::string> list = sent(in, e, target);
  const method* const m = in.plan.taken_by(e);
  selector& s = m != nullptr ? *m->as : in.plan.selector_of(e.selector);
  if (e.future != nullptr) {
    const std::string where = in.site(e.where);
    const std::string future = value(in, *e.future).operand();
    list.push_back(asked_at(in, fmt::format("{}.destination({})", future, where), e.where));
  } else if (e.drops_reply()) {
    list.push_back("abcl::destination()");
  } else if (s.answer != nullptr) {
    list.back() = asked_at(in, list.back(), e.where);
  }
  const bool once = e.target->what == op::create;
  const std::string by = m != nullptr ? pointer(*m, s.answer != nullptr, once) : pointer(s, interrupts_unknown(in, e));
  in.at(e);
  const bool express = by_express(in, e), waits = in.waits && !express;
  in.text.write(fmt::format("{}{}.{}<{}>({});", waits ? "co_await " : "", sent_to(in, e, target),
                            express ? "express" : "past", by, joined(list)),
                waits);
}

std::string question(function_scope& in, const tree::send& e) {
  std::string target;
  std::vector<std::string> list = sent(in, e, target);
  const method* const m = in.plan.taken_by(e);
  const bool once = e.target->what == op::create;
  if (m != nullptr && !m->named_destination && m->express == e.express)
    return asked_directly(in, e, target, list, true);
  // A box of one's own takes the reply.
  selector& s = m != nullptr ? *m->as : in.plan.selector_of(e.selector);
  if (once) {
    const std::string created = in.names.numbered("new");
    in.line(fmt::format("const auto {} = {};", created, std::exchange(target, created)));
  }
  const std::string box = in.names.numbered("box");
  in.line(
      fmt::format("abcl::box<{}> {}({}, {});", cpp_type(s.answer), box, in.site(e.where, awaited_reply(e)), target));
  list.push_back(asked_at(in, box + ".destination()", e.where));
  in.at(e);
  in.line(fmt::format("{}.{}<{}>({});", sent_to(in, e, target), by_express(in, e) ? "express" : "past",
                      m != nullptr ? pointer(*m, true, once) : pointer(s, interrupts_unknown(in, e)), joined(list)));
  return box;
}

cpp_value now(function_scope& in, const tree::send& e) {
  const std::string asked = question(in, e);
  in.at(e);
  if (!has_value(e.of)) {
    in.waiting_line(fmt::format("co_await {};", asked));
    return "abcl::none()";
  }
  return in.kept_awaited("now", cpp_type(e.of), asked);
}

std::string direct_question(function_scope& in, const tree::send& e, std::size_t count) {
  std::string target;
  const std::vector<std::string> list = sent(in, e, count, target);
  return asked_directly(in, e, target, list, false);
}

void reply(function_scope& in, const tree::unary& e) {
  const expression& v = *e.operand;
  const bool empty = !has_value(in.owes.answer);
  std::string what;
  if (empty) {
    statement(in, v);
  } else {
    what = ", " + copied(v.of, value(in, v));
    if (v.of->is(type::kind::nothing)) return;
  }
  in.at(e);
  in.line(fmt::format("{}({}{});", in.owes.asker, in.site(e.where), what));
}

}  // namespace abcl::cpp
