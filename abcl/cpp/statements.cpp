// Statements: what is done for its effect, and how control goes.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/writer.hpp"

namespace abcl {

void cpp_writer::statements(const std::vector<expression_ptr>& body, std::size_t first) {
  for (std::size_t i = first; i < body.size(); ++i) statement(*body[i]);
}

void cpp_writer::let_variables(const expression& e) {
  for (std::size_t i = 0; i < e.vars.size(); ++i) {
    const variable& v = *e.vars[i];
    const std::string of = cpp_type(v.of);
    if (e.parts[i] == nullptr) {
      line(fmt::format("{} {}{{}};", of, name_of(v)));
      continue;
    }
    at(*e.parts[i]);
    const bool creates = e.parts[i]->what == op::create;
    const std::string first = creates ? create(*e.parts[i]) : without_brackets(value(*e.parts[i]));
    line(fmt::format("{} {} = {};", of, name_of(v), first));
  }
}

void cpp_writer::choose(const expression& e, const std::function<void(const expression&)>& each) {
  at(*e.parts[0]);
  const std::string condition = without_brackets(value(*e.parts[0]));
  open(fmt::format("if ({}) {{", condition));
  each(*e.parts[1]);
  if (e.parts.size() == 3) {
    close("} else {");
    ++indent_;
    each(*e.parts[2]);
  }
  close();
}

void cpp_writer::within(const expression& e, const std::function<void(const expression&)>& each) {
  const auto end_of = [&](const std::vector<expression_ptr>& body, std::size_t first) {
    if (body.size() <= first) return;
    for (std::size_t i = first; i + 1 < body.size(); ++i) statement(*body[i]);
    each(*body.back());
  };
  switch (e.what) {
    case op::choose:
      return choose(e, each);
    case op::sequence:
      return end_of(e.parts, 0);
    case op::atomic:
      if (!interruptible_) return end_of(e.parts, 0);
      open("{");
      line(fmt::format("const abcl::express_gate::atomic {}(express_);", numbered("atomic")));
      end_of(e.parts, 0);
      return close();
    case op::let:
      open("{");
      let_variables(e);
      end_of(e.parts, e.vars.size());
      return close();
    case op::match: {
      at(*e.parts[0]);
      std::vector<const clause*> all;
      for (const clause& c : e.clauses) all.push_back(&c);
      const std::vector<std::string> found = elements(*e.parts[0]);
      const auto run = [&](const clause& c) { end_of(c.body, 0); };
      return chain(all, found, run, fmt::format("abcl::fail({}, \"no clause fits this value\");", site(e.where)));
    }
    default:
      break;
  }
}

namespace {

bool is_branching(const expression& e) {
  return e.what == op::choose || e.what == op::sequence || e.what == op::atomic || e.what == op::let ||
         e.what == op::match;
}

}  // namespace

void cpp_writer::assign(const std::string& to, const expression& e) {
  if (is_branching(e) && !(e.what == op::choose && e.parts.size() == 2)) {
    within(e, [&](const expression& last) { assign(to, last); });
    return;
  }
  if (e.of->is(type::kind::nothing)) return statement(e);
  const std::string v = e.what == op::create ? create(e) : without_brackets(value(e));
  at(e);
  line(fmt::format("{} = {};", to, v));
}

void cpp_writer::last_of(const std::vector<expression_ptr>& body, std::size_t first) {
  for (std::size_t i = first; i + 1 < body.size(); ++i) statement(*body[i]);
  if (first < body.size()) last(*body.back());
}

void cpp_writer::last(const expression& e) {
  if (is_branching(e)) return within(e, [&](const expression& each) { last(each); });
  if (e.what != op::reply) {
    statement(e);
    // An end of the program, which does not come back.
    if (waits_) line("co_await abcl::forever();");
    return;
  }
  const expression& answer = *e.parts[0];
  if (is_branching(answer) && has_effects(answer)) {
    // The reply is the value of its branches.
    const std::function<void(const expression&)> each = [&](const expression& branch) {
      if (is_branching(branch) && has_effects(branch)) return within(branch, each);
      const std::string v = as_argument(branch, value(branch));
      at(branch);
      if (!branch.of->is(type::kind::nothing)) line(fmt::format("{} {};", waits_ ? "co_return" : "return", v));
    };
    if (!answer_->is(type::kind::message) || !answer_->parts.empty()) return within(answer, each);
  }
  const bool empty = answer_->is(type::kind::message) && answer_->parts.empty();
  if (empty) {
    statement(answer);
    at(e);
    return leave();
  }
  const std::string v = as_argument(answer, value(answer));
  if (v == "abcl::nothing()" && !waits_) return;
  at(e);
  line(fmt::format("{} {};", waits_ ? "co_return" : "return", v));
}

void cpp_writer::back_edge() {
  if (!interruptible_) return;
  open("if (express_.poll()) {");
  waiting_line("co_await tsubu::yield();");  // lets messages come
  close();
}

void cpp_writer::leave() { line(waits_ ? "co_return;" : "return;"); }

void cpp_writer::loops(const expression& e) {
  if (e.what == op::count) {
    const std::vector<std::string> ends = values(e.parts, 0, 2);
    const std::string i = name_of(*e.vars[0]);
    const std::string end = fresh(i + "-end");
    at(e);
    open(fmt::format("for (abcl::integer {} = {}, {} = {}; {} < {}; ++{}) {{", i, without_brackets(ends[0]), end,
                     without_brackets(ends[1]), i, end, i));
    ++loops_;
    statements(e.parts, 2);
    --loops_;
    back_edge();
    return close();
  }
  ++loops_;
  if (!is_inline(*e.parts[0])) {
    open("for (;;) {");
    const std::string condition = value(*e.parts[0]);
    line(fmt::format("if (!{}) break;", condition));
  } else {
    const std::string condition = without_brackets(value(*e.parts[0]));
    at(e);
    open(fmt::format("while ({}) {{", condition));
  }
  statements(e.parts, 1);
  --loops_;
  back_edge();
  close();
}

void cpp_writer::statement(const expression& e) {
  switch (e.what) {
    case op::choose:
    case op::sequence:
    case op::atomic:
    case op::let:
    case op::match:
      return within(e, [&](const expression& last) { statement(last); });
    case op::loop:
    case op::count:
      return loops(e);
    case op::assign: {
      const expression& place = *e.parts[0];
      if (place.what == op::element) {
        const std::vector<const expression*> parts{place.parts[0].get(), place.parts[1].get(), e.parts[1].get()};
        const std::vector<std::string> v = values(parts);
        at(e);
        return line(fmt::format("{}.at({}, {}) = {};", v[0], without_brackets(v[1]), site(place.where),
                                without_brackets(v[2])));
      }
      return assign(name_of(*place.var), *e.parts[1]);
    }
    case op::past:
    case op::future:
      at(e);
      return past(e);
    case op::now: {
      const std::string answer = question(e);
      at(e);
      return waiting_line(fmt::format("co_await {};", answer));
    }
    case op::create: {
      const std::string made = create(e);
      at(e);
      return line(fmt::format("{};", made));
    }
    case op::reply:
      return reply(e);
    case op::print: {
      std::string list;
      for (std::string v : values(e.parts, 0, e.parts.size())) {
        if (v.starts_with("std::string(\"")) v = v.substr(12, v.size() - 13);
        list += (list.empty() ? "" : ", ") + without_brackets(v);
      }
      at(e);
      return line(fmt::format("abcl::print({});", list));
    }
    case op::expect: {
      const std::string condition = value(*e.parts[0]);
      at(e);
      const std::string text(texts_.of(e.parts[0]->where).text(e.parts[0]->where));
      return line(fmt::format("if (!{}) abcl::fail({}, {});", condition, site(e.where),
                              quoted("expected " + text.substr(0, text.find('\n')))));
    }
    case op::exit: {
      const std::string code = without_brackets(value(*e.parts[0]));
      at(e);
      return line(fmt::format("abcl::exit({});", code));
    }
    case op::non_resume:
      at(e);
      return line("express_.non_resume();");
    case op::suicide:
      at(e);
      if (!asker_.empty()) line(fmt::format("{}.ended({});", asker_, site(e.where)));
      if (class_->guarded) line("ends_ = true;");
      line("retire();");
      return leave();
    default: {
      // A value that nobody wants: only what it does matters.
      if (!has_effects(e)) return;
      const std::string v = value(e);
      const bool needed = v.find('(') != std::string::npos && v != "abcl::none()" && !v.starts_with("std::get<");
      if (needed) line(fmt::format("static_cast<void>({});", without_brackets(v)));
    }
  }
}

}  // namespace abcl
