// Messages: whom they are sent to, by which method, and how a reply comes back.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/writer.hpp"

namespace abcl {
namespace {

std::string joined(const std::vector<std::string>& all) {
  std::string list;
  for (const std::string& each : all) list += (list.empty() ? "" : ", ") + each;
  return list;
}

}  // namespace

bool cpp_writer::interrupts_unknown(const tree::send& e) {
  return e.express && plan_.taken_by(e) == nullptr && plan_.selector_of(e.selector).express_by_interface;
}

// Where there are clauses for it, it need not: they begin at once.
bool cpp_writer::by_express(const tree::send& e) {
  const method* const m = plan_.taken_by(e);
  return e.express && (m != nullptr ? !m->express : !interrupts_unknown(e));
}

std::string cpp_writer::pointer(const method& m, bool to, bool once) const {
  const class_plan& c = plan_.find(m.of);
  return fmt::format("&{}::{}{}", c.name, to ? m.name_to : m.name, m.once ? once ? "<true>" : "<false>" : "");
}

std::string cpp_writer::create(const tree::create& e) {
  const std::size_t arguments = e.arguments.size();
  std::vector<const expression*> parts;
  for (const expression_ptr& each : e.arguments) parts.push_back(each.get());
  if (e.node != nullptr) parts.push_back(e.node.get());
  std::vector<std::string> v = values_of(parts);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < arguments; ++i) list.push_back(as_argument(*e.arguments[i], v[i]));
  const std::string name = plan_.find(e.of_class).name;
  for (std::size_t i = 0; i < arguments; ++i) {
    // C++ would take it for an int.
    const auto* const n = e.arguments[i]->what == op::integer ? &as<tree::integer>(*e.arguments[i]) : nullptr;
    if (n != nullptr && n->value != INT64_MIN) list[i] = fmt::format("abcl::integer{{{}}}", list[i]);
  }
  std::string where;
  if (e.node != nullptr) {
    where = fmt::format("abcl::checked_node({}, {})", without_brackets(v.back()), site(e.where));
  } else {
    where = loops_ > 0 ? std::string("abcl::near_by_turns()") : fmt::format("abcl::near<{}>()", created_++);
  }
  list.insert(list.begin(), where);
  return fmt::format("abcl::create<{}>({})", name, joined(list));
}

// The same, with a name.
std::string cpp_writer::created(const tree::create& e) {
  at(e);
  return kept("new", fmt::format("tsubu::ref<{}>", plan_.find(e.of_class).name), create(e));
}

// The elements of the message, as arguments; `target` becomes the receiver.
std::vector<std::string> cpp_writer::sent(const tree::send& e, std::string& target) {
  if (e.whole != nullptr) {
    target = kept_target(e);
    return sent_elements(*e.whole);
  }
  return sent(e, e.elements.size(), target);
}

// The same of the first `count` elements.
std::vector<std::string> cpp_writer::sent(const tree::send& e, std::size_t count, std::string& target) {
  std::vector<const expression*> parts{e.target.get()};
  for (std::size_t i = 0; i < count; ++i) parts.push_back(e.elements[i].get());
  std::vector<std::string> list = values_of(parts);
  target = list[0];
  list.erase(list.begin());
  for (std::size_t i = 0; i < count; ++i) list[i] = as_argument(*e.elements[i], list[i]);
  return list;
}

std::string cpp_writer::kept_target(const tree::send& e) {
  const std::string to = value(*e.target);
  const bool stays = is_constant(*e.target) || constants_.contains(to) || !has_effects(*e.whole);
  return stays ? to : kept("target", "abcl::name", to);
}

std::vector<std::string> cpp_writer::sent_elements(const expression& message) {
  std::vector<std::string> list = elements(message);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const type* const of = message.of->is(type::kind::message) ? message.of->parts[i] : message.of;
    list[i] = copied(of, list[i]);
  }
  return list;
}

// What stands before `.past<...>`.
std::string cpp_writer::sent_to(const tree::send& e, const std::string& target) {
  const method* const m = plan_.taken_by(e);
  if (e.target->what == op::create && m != nullptr) return target;
  if (m != nullptr) return fmt::format("abcl::to<{}>({}, {})", plan_.find(m->of).name, target, site(e.where));
  const std::string of = plan_.selector_of(e.selector).interface(interrupts_unknown(e));
  return fmt::format("abcl::to<{}>({}, {})", of, target, site(e.where));
}

// The last element of a message that wants a reply, sent there.
std::string cpp_writer::asked_at(const std::string& destination, span where) {
  return fmt::format("abcl::destination({}, {})", destination, site(where));
}

void cpp_writer::past(const tree::send& e) {
  const type* const target_type = e.target->of;
  if (target_type->is(type::kind::reply)) return reply_by_name(kept_target(e), target_type->of(), *e.whole, e.where);
  std::string target;
  std::vector<std::string> list = sent(e, target);
  const method* const m = plan_.taken_by(e);
  selector& s = m != nullptr ? *m->as : plan_.selector_of(e.selector);
  if (e.future != nullptr) {
    list.push_back(asked_at(fmt::format("{}.destination({})", value(*e.future), site(e.where)), e.where));
  } else if (e.drops_reply()) {
    list.push_back("abcl::destination()");
  } else if (s.answer != nullptr) {
    list.back() = asked_at(list.back(), e.where);
  }
  const bool once = e.target->what == op::create;
  const std::string by = m != nullptr ? pointer(*m, s.answer != nullptr, once) : pointer(s, interrupts_unknown(e));
  at(e);
  const bool express = by_express(e), waits = waits_ && !express;
  write_line(fmt::format("{}{}.{}<{}>({});", waits ? "co_await " : "", sent_to(e, target), express ? "express" : "past",
                         by, joined(list)),
             waits);
}

std::string cpp_writer::question(const tree::send& e) {
  std::string target;
  std::vector<std::string> list = sent(e, target);
  const method* const m = plan_.taken_by(e);
  const bool once = e.target->what == op::create;
  if (m != nullptr && !m->named_destination && m->express == e.express)
    return fmt::format("{}.now<{}>({})", sent_to(e, target), pointer(*m, false, once), joined(list));
  // A box of one's own takes the reply.
  selector& s = m != nullptr ? *m->as : plan_.selector_of(e.selector);
  const std::string box = numbered("box");
  line(fmt::format("abcl::box<{}> {};", cpp_type(s.answer), box));
  list.push_back(asked_at(box + ".destination()", e.where));
  at(e);
  line(fmt::format("{}.{}<{}>({});", sent_to(e, target), by_express(e) ? "express" : "past",
                   m != nullptr ? pointer(*m, true, once) : pointer(s, interrupts_unknown(e)), joined(list)));
  return box;
}

std::string cpp_writer::now(const tree::send& e) {
  const std::string asked = question(e);
  at(e);
  if (!has_value(e.of)) {
    waiting_line(fmt::format("co_await {};", asked));
    return "abcl::none()";
  }
  return kept_awaited("now", cpp_type(e.of), asked);
}

void cpp_writer::reply_by_name(const std::string& name, const type* of, const expression& v, span where) {
  const std::string type = cpp_type(of);
  selector* const s = plan_.interface_of_reply(of);
  if (s == nullptr) {
    const std::string what = has_value(of) ? as_argument(v, value(v)) : (statement(v), std::string("abcl::none()"));
    at(where);
    return line(fmt::format("abcl::reply<{}>({}, {}, {});", type, name, site(where), what));
  }
  std::vector<std::string> list;
  if (of->is(type::kind::message)) {
    list = sent_elements(v);
  } else {
    list.push_back(as_argument(v, value(v)));
  }
  at(where);
  list.insert(list.begin(), {name, site(where)});
  line(fmt::format("abcl::reply_or_send<{}, {}>({});", pointer(*s, false), type, joined(list)));
}

void cpp_writer::reply(const tree::unary& e) {
  const expression& v = *e.operand;
  const bool empty = !has_value(answer_);
  std::string what;
  if (empty) {
    statement(v);
  } else {
    what = ", " + as_argument(v, value(v));
    if (v.of->is(type::kind::nothing)) return;
  }
  at(e);
  line(fmt::format("{}({}{});", asker_, site(e.where), what));
}

std::string cpp_writer::sync(const tree::sync& e) {
  const variable& box = *e.boxes[0];
  line(fmt::format("abcl::box<{}> {};", cpp_type(box.of), name_of(box)));
  statements(e.body);
  at(e);
  if (!has_value(box.of)) {
    waiting_line(fmt::format("co_await {};", name_of(box)));
    return "abcl::none()";
  }
  return kept_awaited(name_of(box) + "-value", cpp_type(box.of), name_of(box));
}

namespace {

// [target <= [... (@ r)]], where the class is known and this is all that happens to r.
bool is_question_to_box(const tree::send& e, const variable& box) {
  if (e.what != op::past || e.express || e.elements.empty() || box.uses.size() != 1) return false;
  const expression& last = *e.elements.back();
  return last.what == op::destination && as<tree::name>(last).var == &box && !e.target->of->is(type::kind::reply);
}

// Evaluated before another message leaves, which changes nothing.
bool may_come_first(const tree::send& e) {
  bool all = true;
  e.each_part([&](const expression& part) {
    if (const auto* const made = try_as<tree::create>(part)) {
      made->each_part([&](const expression& p) { all &= !has_effects(p); });
    } else {
      all &= part.what == op::destination || !has_effects(part);
    }
  });
  return all;
}

}  // namespace

// Two questions at a time.
bool cpp_writer::both(const tree::sync& e, std::vector<std::string>& into) {
  const bool second_is_now = e.what == op::sync2;
  const std::size_t boxes = second_is_now ? 1 : 2;
  if (e.boxes.size() != boxes || e.body.size() != boxes || (e.last != nullptr) != second_is_now) return false;
  const auto* const first = try_as<tree::send>(*e.body[0]);
  const auto* const second = try_as<tree::send>(second_is_now ? *e.last : *e.body[1]);
  if (first == nullptr || second == nullptr || !is_question_to_box(*first, *e.boxes[0])) return false;
  const bool second_fits = second_is_now ? second->what == op::now && second->whole == nullptr && !second->express
                                         : is_question_to_box(*second, *e.boxes[1]);
  if (!second_fits || !may_come_first(*second)) return false;
  for (const tree::send* s : {first, second}) {
    const method* const m = plan_.taken_by(*s);
    if (m == nullptr || m->named_destination || !m->answers() || !has_value(m->as->answer)) return false;
    if (s->what == op::past && s->elements.size() != m->as->elements.size() + 1) return false;
  }
  std::vector<std::string> asked;
  for (const tree::send* s : {first, second}) {
    std::string target;
    const std::vector<std::string> list = sent(*s, s->elements.size() - (s->what == op::past ? 1 : 0), target);
    asked.push_back(fmt::format("{}.now<{}>({})", sent_to(*s, target),
                                pointer(*plan_.taken_by(*s), false, s->target->what == op::create), joined(list)));
  }
  at(e);
  const std::string name = numbered("both");
  const std::string indent(static_cast<std::size_t>(indent_) * 2 + 4, ' ');
  waiting_line(fmt::format("const auto {} = co_await tsubu::both({},\n{}{});", name, asked[0], indent, asked[1]));
  constants_.insert(name + ".first");
  constants_.insert(name + ".second");
  into = {name + ".first", name + ".second"};
  return true;
}

std::vector<std::string> cpp_writer::sync_values(const tree::sync& e) {
  std::vector<std::string> all;
  if (both(e, all)) return all;
  for (const variable* box : e.boxes) line(fmt::format("abcl::box<{}> {};", cpp_type(box->of), name_of(*box)));
  statements(e.body);
  std::string more;
  if (e.last != nullptr) {
    more = value(*e.last);
    if (!constants_.contains(more) && !is_constant(*e.last) && has_value(e.last->of))
      more = kept("value", cpp_type(e.last->of), more);
  }
  at(e);
  for (const variable* box : e.boxes)
    all.push_back(kept_awaited(name_of(*box) + "-value", cpp_type(box->of), name_of(*box)));
  if (e.last != nullptr) all.push_back(more);
  return all;
}

}  // namespace abcl
