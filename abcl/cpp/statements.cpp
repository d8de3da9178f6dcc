// Statements: what is done for its effect, and how control goes.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/writer.hpp"

namespace abcl {

void cpp_writer::statements(const expressions& body) {
  for (const expression_ptr& e : body) statement(*e);
}

void cpp_writer::let_variables(const tree::let& e) {
  for (const auto& [v, first] : e.variables) {
    const std::string of = cpp_type(v->of);
    if (first == nullptr) {
      line(fmt::format("{} {}{{}};", of, name_of(*v)));
      continue;
    }
    at(*first);
    const auto* const made = try_as<tree::create>(*first);
    const std::string value_of = made != nullptr ? create(*made) : without_brackets(value(*first));
    line(fmt::format("{} {} = {};", of, name_of(*v), value_of));
  }
}

void cpp_writer::choose(const tree::choose& e, const std::function<void(const expression&)>& each) {
  at(*e.condition);
  const std::string condition = without_brackets(value(*e.condition));
  open(fmt::format("if ({}) {{", condition));
  each(*e.yes);
  if (e.no != nullptr) {
    close("} else {");
    ++indent_;
    each(*e.no);
  }
  close();
}

void cpp_writer::within(const expression& e, const std::function<void(const expression&)>& each) {
  const auto end_of = [&](const expressions& body) {
    for (std::size_t i = 0; i + 1 < body.size(); ++i) statement(*body[i]);
    if (!body.empty()) each(*body.back());
  };
  switch (e.what) {
    case op::choose:
      return choose(as<tree::choose>(e), each);
    case op::sequence:
      return end_of(as<tree::block>(e).body);
    case op::atomic:
      if (!interruptible_) return end_of(as<tree::block>(e).body);
      open("{");
      line(fmt::format("const abcl::express_gate::atomic {}(express_);", numbered("atomic")));
      end_of(as<tree::block>(e).body);
      return close();
    case op::let:
      open("{");
      let_variables(as<tree::let>(e));
      end_of(as<tree::let>(e).body);
      return close();
    case op::match: {
      const auto& match = as<tree::match>(e);
      at(*match.value);
      std::vector<const clause*> all;
      for (const clause& c : match.clauses) all.push_back(&c);
      const std::vector<std::string> found = elements(*match.value);
      const auto run = [&](const clause& c) { end_of(c.body); };
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
  const auto* const choice = try_as<tree::choose>(e);
  if (is_branching(e) && (choice == nullptr || choice->no != nullptr)) {
    within(e, [&](const expression& last) { assign(to, last); });
    return;
  }
  if (e.of->is(type::kind::nothing)) return statement(e);
  const auto* const made = try_as<tree::create>(e);
  const std::string v = made != nullptr ? create(*made) : without_brackets(value(e));
  at(e);
  line(fmt::format("{} = {};", to, v));
}

void cpp_writer::last_of(const expressions& body) {
  for (std::size_t i = 0; i + 1 < body.size(); ++i) statement(*body[i]);
  if (!body.empty()) last(*body.back());
}

void cpp_writer::last(const expression& e) {
  if (is_branching(e)) return within(e, [&](const expression& each) { last(each); });
  if (e.what != op::reply) {
    statement(e);
    // An end of the program, which does not come back.
    if (waits_) await_line("co_await abcl::forever();");
    return;
  }
  const expression& answer = *as<tree::unary>(e).operand;
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
  if (answer.of->is(type::kind::nothing) && !waits_) return;
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

void cpp_writer::count(const tree::count& e) {
  const std::vector<std::string> ends = values_of({e.first.get(), e.end.get()});
  const std::string i = name_of(*e.counter);
  const std::string end = fresh(i + "-end");
  at(e);
  open(fmt::format("for (abcl::integer {} = {}, {} = {}; {} < {}; ++{}) {{", i, without_brackets(ends[0]), end,
                   without_brackets(ends[1]), i, end, i));
  ++loops_;
  statements(e.body);
  --loops_;
  back_edge();
  close();
}

void cpp_writer::loop(const tree::loop& e) {
  ++loops_;
  if (!is_inline(*e.condition)) {
    open("for (;;) {");
    const std::string condition = value(*e.condition);
    line(fmt::format("if (!{}) break;", condition));
  } else {
    const std::string condition = without_brackets(value(*e.condition));
    at(e);
    open(fmt::format("while ({}) {{", condition));
  }
  statements(e.body);
  --loops_;
  back_edge();
  close();
}

void cpp_writer::assignment(const tree::assign& e) {
  const auto* const place = try_as<tree::element>(*e.place);
  if (place == nullptr) return assign(name_of(*as<tree::name>(*e.place).var), *e.value);
  const std::vector<std::string> v = values_of({place->array.get(), place->index.get(), e.value.get()});
  at(e);
  line(fmt::format("{}.at({}, {}) = {};", v[0], without_brackets(v[1]), site(place->where), without_brackets(v[2])));
}

void cpp_writer::print(const tree::print& e) {
  const std::vector<std::string> v = values(e.values);
  std::string list;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto* const text = try_as<tree::text>(*e.values[i]);
    list += (list.empty() ? "" : ", ") + (text != nullptr ? quoted(text->value) : without_brackets(v[i]));
  }
  at(e);
  line(fmt::format("abcl::print({});", list));
}

void cpp_writer::expect(const tree::unary& e) {
  const std::string condition = value(*e.operand);
  at(e);
  const std::string text(texts_.of(e.operand->where).text(e.operand->where));
  line(fmt::format("if (!{}) abcl::fail({}, {});", condition, site(e.where),
                   quoted("expected " + text.substr(0, text.find('\n')))));
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
      return loop(as<tree::loop>(e));
    case op::count:
      return count(as<tree::count>(e));
    case op::assign:
      return assignment(as<tree::assign>(e));
    case op::past:
    case op::future:
      at(e);
      return past(as<tree::send>(e));
    case op::now: {
      const std::string answer = question(as<tree::send>(e));
      at(e);
      return waiting_line(fmt::format("co_await {};", answer));
    }
    case op::create: {
      const std::string made = create(as<tree::create>(e));
      at(e);
      return line(fmt::format("{};", made));
    }
    case op::reply:
      return reply(as<tree::unary>(e));
    case op::print:
      return print(as<tree::print>(e));
    case op::expect:
      return expect(as<tree::unary>(e));
    case op::exit: {
      const std::string code = without_brackets(value(*as<tree::unary>(e).operand));
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
      // One that has a name has been found by a statement.
      if (has_value(e.of) && !used_.contains(v)) line(fmt::format("static_cast<void>({});", without_brackets(v)));
    }
  }
}

}  // namespace abcl
