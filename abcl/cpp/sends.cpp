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

bool cpp_writer::interrupts_unknown(const expression& e) {
  return e.express && plan_.taken_by(e) == nullptr && plan_.selector_of(e.selector).express_by_interface;
}

// Where there are clauses for it, it need not: they begin at once.
bool cpp_writer::by_express(const expression& e) {
  const method* const m = plan_.taken_by(e);
  return e.express && (m != nullptr ? !m->express : !interrupts_unknown(e));
}

std::string cpp_writer::pointer(const method& m, bool to, bool once) const {
  const class_plan& c = plan_.find(m.of);
  return fmt::format("&{}::{}{}", c.name, to ? m.name_to : m.name, m.once ? once ? "<true>" : "<false>" : "");
}

std::string cpp_writer::pointer(const selector& s, bool express) {
  if (!express) return fmt::format("&takes_{}::{}", s.method.substr(3), s.answer != nullptr ? s.to : s.method);
  return fmt::format("&takes_{}::{}", s.express.substr(3), s.answer != nullptr ? s.express_to : s.express);
}

std::string cpp_writer::create(const expression& e) {
  const std::size_t arguments = e.parts.size() - (e.placed ? 1 : 0);
  std::vector<std::string> v = values(e.parts, 0, e.parts.size());
  std::vector<std::string> list;
  for (std::size_t i = 0; i < arguments; ++i) list.push_back(as_argument(*e.parts[i], v[i]));
  const std::string name = plan_.find(e.of_class).name;
  for (std::size_t i = 0; i < arguments; ++i) {
    // What C++ would take for an int.
    if (e.parts[i]->of->is(type::kind::integer) && list[i].find_first_not_of("-0123456789") == std::string::npos)
      list[i] = fmt::format("abcl::integer{{{}}}", list[i]);
  }
  std::string where;
  if (e.placed) {
    where = fmt::format("abcl::checked_node({}, {})", without_brackets(v.back()), site(e.where));
  } else {
    where = loops_ > 0 ? std::string("abcl::near_by_turns()") : fmt::format("abcl::near<{}>()", created_++);
  }
  list.insert(list.begin(), where);
  return fmt::format("abcl::create<{}>({})", name, joined(list));
}

// The elements of the message, as arguments; `target` becomes the receiver.
std::vector<std::string> cpp_writer::sent(const expression& e, std::string& target, bool with_future) {
  const std::size_t end = e.parts.size() - (with_future ? 1 : 0);
  std::vector<std::string> list;
  if (e.whole) {
    const std::string to = value(*e.parts[0]);
    target = is_constant(*e.parts[0]) || constants_.contains(to) || !has_effects(*e.parts[1])
                 ? to
                 : kept("target", "abcl::name", to);
    list = sent_elements(*e.parts[1]);
  } else {
    list = values(e.parts, 0, end);
    target = list[0];
    list.erase(list.begin());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = as_argument(*e.parts[i + 1], list[i]);
  }
  return list;
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
std::string cpp_writer::sent_to(const expression& e, const std::string& target) {
  const method* const m = plan_.taken_by(e);
  if (e.parts[0]->what == op::create && m != nullptr) return target;
  if (m != nullptr) return fmt::format("abcl::to<{}>({}, {})", plan_.find(m->of).name, target, site(e.where));
  const selector& s = plan_.selector_of(e.selector);
  const std::string of = "takes_" + (interrupts_unknown(e) ? s.express : s.method).substr(3);
  return fmt::format("abcl::to<{}>({}, {})", of, target, site(e.where));
}

void cpp_writer::past(const expression& e) {
  const type* const target_type = e.parts[0]->of;
  if (target_type->is(type::kind::reply)) {
    const std::string to = value(*e.parts[0]);
    const bool stays = is_constant(*e.parts[0]) || constants_.contains(to) || !has_effects(*e.parts[1]);
    return reply_by_name(stays ? to : kept("target", "abcl::name", to), target_type->of(), *e.parts[1], e.where);
  }
  std::string target;
  const bool to_future = e.what == op::future;
  std::vector<std::string> list = sent(e, target, to_future);
  const method* const m = plan_.taken_by(e);
  selector& s = m != nullptr ? *m->as : plan_.selector_of(e.selector);
  if (to_future) {
    list.push_back(fmt::format("{}.destination({})", value(*e.parts.back()), site(e.where)));
  } else if (s.answer != nullptr && list.size() == s.elements.size()) {
    list.push_back("abcl::name()");
  }
  const bool once = e.parts[0]->what == op::create;
  const std::string by = m != nullptr ? pointer(*m, s.answer != nullptr, once) : pointer(s, interrupts_unknown(e));
  at(e);
  line(fmt::format("{}{}.{}<{}>({});", waits_ && !by_express(e) ? "co_await " : "", sent_to(e, target),
                   by_express(e) ? "express" : "past", by, joined(list)));
}

std::string cpp_writer::question(const expression& e) {
  std::string target;
  std::vector<std::string> list = sent(e, target, false);
  const method* const m = plan_.taken_by(e);
  const bool once = e.parts[0]->what == op::create;
  if (m != nullptr && !m->named_destination && m->express == e.express)
    return fmt::format("{}.now<{}>({})", sent_to(e, target), pointer(*m, false, once), joined(list));
  // A box of one's own takes the reply.
  selector& s = m != nullptr ? *m->as : plan_.selector_of(e.selector);
  const std::string box = numbered("box");
  line(fmt::format("abcl::box<{}> {};", cpp_type(s.answer), box));
  list.push_back(box + ".destination()");
  at(e);
  line(fmt::format("{}.{}<{}>({});", sent_to(e, target), by_express(e) ? "express" : "past",
                   m != nullptr ? pointer(*m, true, once) : pointer(s, interrupts_unknown(e)), joined(list)));
  return box;
}

std::string cpp_writer::now(const expression& e) {
  const std::string asked = question(e);
  at(e);
  if (cpp_type(e.of) == "abcl::none") {
    waiting_line(fmt::format("co_await {};", asked));
    return "abcl::none()";
  }
  return kept("now", cpp_type(e.of), "co_await " + asked);
}

void cpp_writer::reply_by_name(const std::string& name, const type* of, const expression& v, span where) {
  const std::string type = cpp_type(of);
  selector* const s = plan_.interface_of_reply(of);
  if (s == nullptr) {
    const std::string what =
        type == "abcl::none" ? (statement(v), std::string("abcl::none()")) : as_argument(v, value(v));
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

void cpp_writer::reply(const expression& e) {
  const expression& v = *e.parts[0];
  const bool empty = cpp_type(answer_) == "abcl::none";
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

std::string cpp_writer::sync(const expression& e) {
  const variable& box = *e.vars[0];
  line(fmt::format("abcl::box<{}> {};", cpp_type(box.of), name_of(box)));
  statements(e.parts);
  at(e);
  if (cpp_type(box.of) == "abcl::none") {
    waiting_line(fmt::format("co_await {};", name_of(box)));
    return "abcl::none()";
  }
  return kept(name_of(box) + "-value", cpp_type(box.of), "co_await " + name_of(box));
}

namespace {

// [target <= [... (@ r)]], where the class is known and this is all that happens to r.
bool is_question_to_box(const expression& e, const variable& box) {
  return e.what == op::past && !e.whole && !e.express && box.uses.size() == 1 &&
         e.parts.back()->what == op::destination && e.parts.back()->var == &box &&
         !e.parts[0]->of->is(type::kind::reply);
}

// Evaluated before another message leaves, which changes nothing.
bool may_come_first(const expression& e) {
  for (const expression_ptr& part : e.parts) {
    if (part->what == op::create) {
      if (std::any_of(part->parts.begin(), part->parts.end(), [](const expression_ptr& p) { return has_effects(*p); }))
        return false;
    } else if (part->what != op::destination && has_effects(*part)) {
      return false;
    }
  }
  return true;
}

}  // namespace

// Two questions at a time.
bool cpp_writer::both(const expression& e, std::vector<std::string>& into) {
  if (e.parts.size() != 2 || (e.what == op::sync_all && e.vars.size() != 2)) return false;
  const bool second_is_now = e.what == op::sync2;
  const expression* const sends[] = {e.parts[0].get(), e.parts[1].get()};
  for (int i = 0; i < 2; ++i) {
    const expression& s = *sends[i];
    const bool fits = i == 1 && second_is_now ? s.what == op::now && !s.whole && !s.express
                                              : is_question_to_box(s, *e.vars[static_cast<std::size_t>(i)]);
    if (!fits || (i == 1 && !may_come_first(s))) return false;
    const method* const m = plan_.taken_by(s);
    if (m == nullptr || m->named_destination || !m->answers() || cpp_type(m->as->answer) == "abcl::none") return false;
    if (s.what == op::past && s.parts.size() != m->as->elements.size() + 2) return false;
  }
  std::vector<std::string> asked;
  for (const expression* s : sends) {
    const std::size_t end = s->parts.size() - (s->what == op::past ? 1 : 0);
    std::vector<std::string> list = values(s->parts, 0, end);
    const std::string target = list[0];
    list.erase(list.begin());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = as_argument(*s->parts[i + 1], list[i]);
    asked.push_back(fmt::format("{}.now<{}>({})", sent_to(*s, target),
                                pointer(*plan_.taken_by(*s), false, s->parts[0]->what == op::create), joined(list)));
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

std::vector<std::string> cpp_writer::sync_values(const expression& e) {
  std::vector<std::string> all;
  if (both(e, all)) return all;
  for (const variable* box : e.vars) line(fmt::format("abcl::box<{}> {};", cpp_type(box->of), name_of(*box)));
  const bool one_more = e.parts.size() > e.vars.size();
  std::string more;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    if (one_more && i + 1 == e.parts.size()) {
      const std::string v = value(*e.parts[i]);
      more = constants_.contains(v) || is_constant(*e.parts[i]) || v == "abcl::none()"
                 ? v
                 : kept("value", cpp_type(e.parts[i]->of), v);
    } else {
      statement(*e.parts[i]);
    }
  }
  at(e);
  for (const variable* box : e.vars)
    all.push_back(kept(name_of(*box) + "-value", cpp_type(box->of), "co_await " + name_of(*box)));
  if (one_more) all.push_back(more);
  return all;
}

}  // namespace abcl
