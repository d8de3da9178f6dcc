#include "abcl/cpp/statements.hpp"

#include <fmt/format.h>

#include <utility>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/clauses.hpp"
#include "abcl/cpp/creations.hpp"
#include "abcl/cpp/sends.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/values.hpp"

namespace abcl::cpp {
namespace {

using visitor = std::function<void(const expression&)>;

void let_variables(function_scope& in, const tree::let& e) {
  for (const auto& [v, first] : e.variables) {
    const std::string of = cpp_type(v->of);
    if (first == nullptr) {
      in.line(fmt::format("{} {}{{}};", of, in.names.name_of(*v)));
      continue;
    }
    in.at(*first);
    const auto* const made = try_as<tree::create>(*first);
    const std::string value_of = made != nullptr ? create(in, *made) : value(in, *first).text;
    in.line(fmt::format("{} {} = {};", of, in.names.name_of(*v), value_of));
  }
}

void choose(function_scope& in, const tree::choose& e, const visitor& each) {
  in.at(*e.condition);
  const std::string condition = value(in, *e.condition).text;
  in.open(fmt::format("if ({}) {{", condition));
  each(*e.yes);
  // What is chosen else, if that takes no statements to find out, stands beside it: so a `cond` is not nested.
  const expression* other = e.no.get();
  while (other != nullptr && other->what == op::choose && is_inline(*as<tree::choose>(*other).condition)) {
    const auto& next = as<tree::choose>(*other);
    const std::string also = value(in, *next.condition).text;
    in.at(*next.condition);
    in.reopen(fmt::format("}} else if ({}) {{", also));
    each(*next.yes);
    other = next.no.get();
  }
  if (other != nullptr) {
    in.reopen("} else {");
    each(*other);
  }
  in.close();
}

// What the clauses look at, in variables where it would be computed by each of them, or by none although it may fail.
std::vector<cpp_value> matched(function_scope& in, const tree::match& e) {
  std::vector<cpp_value> found = elements(in, *e.value);
  if (e.clauses.size() == 1 && e.clauses[0].takes_all() && !may_fail(*e.value)) return found;
  const type& of = *e.value->of;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const type* const each = of.is(type::kind::message) ? of.parts[i] : &of;
    if (!found[i].is_constant && !found[i].is_name && has_value(each))
      found[i] = in.kept("matched", cpp_type(each), found[i]);
  }
  return found;
}

// Does `each` with the expression in which `e` ends: that of each branch, the last of a sequence. Not for values.
void within(function_scope& in, const expression& e, const visitor& each) {
  const auto end_of = [&](const expressions& body) {
    if (const expression* const end = before_last(in, body)) each(*end);
  };
  switch (e.what) {
    case op::choose:
      return choose(in, as<tree::choose>(e), each);
    case op::sequence:
      return end_of(as<tree::block>(e).body);
    case op::atomic:
      if (!in.interruptible) return end_of(as<tree::block>(e).body);
      in.open("{");
      in.line(fmt::format("const abcl::express_gate::atomic {}(express_);", in.names.numbered("atomic")));
      end_of(as<tree::block>(e).body);
      return in.close();
    case op::let:
      in.open("{");
      let_variables(in, as<tree::let>(e));
      end_of(as<tree::let>(e).body);
      return in.close();
    case op::match: {
      const auto& match = as<tree::match>(e);
      in.at(*match.value);
      std::vector<const clause*> all;
      for (const clause& c : match.clauses) all.push_back(&c);
      const std::vector<cpp_value> found = matched(in, match);
      const auto run = [&](const clause& c) { end_of(c.body); };
      return chain(in, all, found, run,
                   fmt::format("abcl::fail({}, \"no clause fits this value\");", in.site(e.where)));
    }
    default:
      break;
  }
}

// The last of a clause whose reply is what its method returns.
void last(function_scope& in, const expression& e) {
  if (is_branching(e)) return within(in, e, [&](const expression& each) { last(in, each); });
  if (e.what != op::reply) {
    statement(in, e);
    // An end of the program, which does not come back.
    if (in.waits) in.await_line("co_await abcl::forever();");
    return;
  }
  const expression& answer = *as<tree::unary>(e).operand;
  if (!has_value(in.owes.answer)) {
    statement(in, answer);
    in.at(e);
    return in.leave();
  }
  // The reply is the value of its branches, where these write statements.
  const visitor returned = [&](const expression& branch) {
    if (is_branching(branch) && has_effects(branch)) return within(in, branch, returned);
    const std::string v = copied(branch.of, value(in, branch));
    in.at(&branch == &answer ? e : branch);
    // What does not come back gives nothing.
    if (!branch.of->is(type::kind::nothing)) in.leave(v);
  };
  returned(answer);
}

void back_edge(function_scope& in) {
  if (!in.interruptible) return;
  in.open("if (express_.poll()) {");
  in.waiting_line("co_await tsubu::yield();");  // lets messages come
  in.close();
}

// The forms of a loop, which C++'s statement at hand is; and behind it a place for those that leave it from deeper in.
void repeated(function_scope& in, const expressions& body) {
  loop_scope here{in.askers.size(), in.breakable};
  loop_scope* const outside = std::exchange(in.loop, &here);
  statements(in, body);
  back_edge(in);
  in.loop = outside;
  --in.breakable;
  in.close();
  if (!here.behind.empty()) in.line(here.behind + ":;");
}

// Clauses that end with it have to have replied.
void leave_loop(function_scope& in, span where) {
  loop_scope& left = *in.loop;
  for (std::size_t i = in.askers.size(); i > left.askers; --i)
    in.line(fmt::format("{}.ended({});", in.askers[i - 1], in.site(where)));
  if (left.breakable == in.breakable) return in.line("break;");
  if (left.behind.empty()) left.behind = in.names.numbered("behind-loop");
  in.line(fmt::format("goto {};", left.behind));
}

void count(function_scope& in, const tree::count& e) {
  const std::vector<cpp_value> ends = values_of(in, {e.first.get(), e.end.get()});
  const std::string i = in.names.name_of(*e.counter);
  const std::string end = in.names.fresh(i + "-end");
  in.at(e);
  in.open(fmt::format("for (abcl::integer {} = {}, {} = {}; {} < {}; ++{}) {{", i, ends[0].text, end, ends[1].text, i,
                      end, i));
  ++in.breakable;
  repeated(in, e.body);
}

void loop(function_scope& in, const tree::loop& e) {
  if (!is_inline(*e.condition)) {
    in.at(e);
    in.open("for (;;) {");
    ++in.breakable;
    const std::string condition = value(in, *e.condition).operand();
    in.at(*e.condition);
    in.line(fmt::format("if (!{}) break;", condition));
  } else {
    const std::string condition = value(in, *e.condition).text;
    in.at(e);
    in.open(fmt::format("while ({}) {{", condition));
    ++in.breakable;
  }
  repeated(in, e.body);
}

void assign_part(function_scope& in, const tree::subarray& place, const expression& of) {
  const std::vector<cpp_value> v = values_of(in, {place.array.get(), place.from.get(), place.to.get(), &of});
  in.at(place);
  in.line(fmt::format("{}.set_part({}, {}, {}, {});", v[0].operand(), v[1].text, v[2].text, v[3].text,
                      in.site(place.where)));
}

// Whether `e` is what `to` has and texts behind it, which do not look at `to` again and change nothing.
bool adds_to(const variable& to, const expression& e) {
  const auto* const made = try_as<tree::compute>(e);
  if (made == nullptr || made->does != operation::to_text || made->operands.size() < 2) return false;
  const auto is_use = [&](const expression& each) { return each.what == op::use && as<tree::name>(each).var == &to; };
  if (!is_use(*made->operands[0])) return false;
  bool adds = true;
  for (std::size_t i = 1; i < made->operands.size(); ++i) {
    adds &= !has_effects(*made->operands[i]);
    walk(*made->operands[i], [&](const expression& each) { return adds = adds && !is_use(each); });
  }
  return adds;
}

// A text that grows piece by piece costs its pieces: it is not made anew for each.
void add_texts(function_scope& in, const std::string& to, const tree::compute& e) {
  std::vector<const expression*> added;
  for (std::size_t i = 1; i < e.operands.size(); ++i) added.push_back(e.operands[i].get());
  std::string list = to;
  for (const cpp_value& each : values_of(in, added)) append(list, each.text);
  in.at(e);
  in.line(fmt::format("abcl::add_texts({});", list));
}

void assignment(function_scope& in, const tree::assign& e) {
  if (const auto* const part = try_as<tree::subarray>(*e.place)) return assign_part(in, *part, *e.value);
  const auto* const place = try_as<tree::element>(*e.place);
  if (place == nullptr) {
    const variable& to = *as<tree::name>(*e.place).var;
    if (adds_to(to, *e.value)) return add_texts(in, in.names.name_of(to), as<tree::compute>(*e.value));
    return assign(in, in.names.name_of(to), *e.value);
  }
  const std::vector<cpp_value> v = values_of(in, {place->array.get(), place->index.get(), e.value.get()});
  in.at(e);
  in.line(fmt::format("{}.at({}, {}) = {};", v[0].operand(), v[1].text, in.site(place->where), v[2].text));
}

void print(function_scope& in, const tree::print& e) {
  const std::vector<cpp_value> v = values(in, e.values);
  std::string list;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto* const text = try_as<tree::text>(*e.values[i]);
    append(list, text != nullptr ? string_literal(text->value) : v[i].text);
  }
  in.at(e);
  in.line(fmt::format("abcl::print({});", list));
}

void expect(function_scope& in, const tree::unary& e) {
  const std::string condition = value(in, *e.operand).operand();
  in.at(e);
  const std::string text(in.texts.of(e.operand->where).text(e.operand->where));
  in.line(fmt::format("if (!{}) abcl::fail({}, {});", condition, in.site(e.where),
                      string_literal("expected " + text.substr(0, text.find('\n')))));
}

}  // namespace

bool is_branching(const expression& e) {
  return e.what == op::choose || e.what == op::sequence || e.what == op::atomic || e.what == op::let ||
         e.what == op::match;
}

void statements(function_scope& in, const expressions& body) {
  for (const expression_ptr& e : body) statement(in, *e);
}

const expression* before_last(function_scope& in, const expressions& body) {
  for (std::size_t i = 0; i + 1 < body.size(); ++i) statement(in, *body[i]);
  return body.empty() ? nullptr : body.back().get();
}

void assign(function_scope& in, const std::string& to, const expression& e) {
  const auto* const choice = try_as<tree::choose>(e);
  if (is_branching(e) && (choice == nullptr || choice->no != nullptr)) {
    within(in, e, [&](const expression& last) { assign(in, to, last); });
    return;
  }
  if (e.of->is(type::kind::nothing)) return statement(in, e);
  const auto* const made = try_as<tree::create>(e);
  const std::string v = made != nullptr ? create(in, *made) : value(in, e).text;
  in.at(e);
  in.line(fmt::format("{} = {};", to, v));
}

void returning_statements(function_scope& in, const expressions& body) {
  if (const expression* const end = before_last(in, body)) last(in, *end);
}

void statement(function_scope& in, const expression& e) {
  if (is_branching(e)) return within(in, e, [&](const expression& last) { statement(in, last); });
  switch (e.what) {
    case op::loop:
      return loop(in, as<tree::loop>(e));
    case op::count:
      return count(in, as<tree::count>(e));
    case op::assign:
      return assignment(in, as<tree::assign>(e));
    case op::past:
    case op::future:
      in.at(e);
      return past(in, as<tree::send>(e));
    case op::now: {
      const std::string answer = question(in, as<tree::send>(e));
      in.at(e);
      return in.waiting_line(fmt::format("co_await {};", answer));
    }
    case op::create: {
      const std::string made = create(in, as<tree::create>(e));
      in.at(e);
      return in.line(fmt::format("{};", made));
    }
    case op::reply:
      return reply(in, as<tree::unary>(e));
    case op::print:
      return print(in, as<tree::print>(e));
    case op::expect:
      return expect(in, as<tree::unary>(e));
    case op::exit: {
      const std::string code = value(in, *as<tree::unary>(e).operand).text;
      in.at(e);
      return in.line(fmt::format("abcl::exit({});", code));
    }
    case op::leave_loop:
      in.at(e);
      return leave_loop(in, e.where);
    case op::non_resume:
      in.at(e);
      return in.line(fmt::format("express_.non_resume({});", in.site(e.where)));
    case op::suicide:
      in.at(e);
      if (!in.owes.asker.empty()) in.line(fmt::format("{}.ended({});", in.owes.asker, in.site(e.where)));
      in.line("retire();");
      return in.leave();
    default: {
      // A value that nobody wants: only what it does matters, and that it may end the job.
      if (!has_effects(e) && !may_fail(e)) return;
      const cpp_value v = value(in, e);
      in.at(e);
      // One that has a name has been found by a statement.
      if (has_value(e.of) && !v.is_name) in.line(fmt::format("static_cast<void>({});", v.text));
    }
  }
}

}  // namespace abcl::cpp
