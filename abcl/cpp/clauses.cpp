// Clauses: which one takes a message, and what its names stand for.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/writer.hpp"

namespace abcl {

std::string cpp_writer::condition(const clause& c, const std::vector<std::string>& values) {
  std::string all;
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    if (c.pattern[i].literal == nullptr) continue;
    all += fmt::format("{}{} == {}", all.empty() ? "" : " && ", values[i], value(*c.pattern[i].literal));
  }
  return all;
}

void cpp_writer::bind(const clause& c, const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    const variable* const v = c.pattern[i].bound;
    if (v == nullptr || v->uses.empty()) continue;
    if (constants_.contains(values[i])) {
      locals_[v] = values[i];  // it has a name already
      continue;
    }
    line(fmt::format("const {} {} = {};", cpp_type(v->of), name_of(*v), values[i]));
    constants_.insert(name_of(*v));
  }
}

void cpp_writer::chain(const std::vector<const clause*>& clauses, const std::vector<std::string>& values,
                       const std::function<void(const clause&)>& run, const std::string& otherwise) {
  if (clauses.size() == 1 && clauses[0]->takes_all()) {
    bind(*clauses[0], values);
    return run(*clauses[0]);
  }
  open("do {");
  bool covered = false;
  for (const clause* c : clauses) {
    const std::string when = condition(*c, values);
    open(when.empty() ? "{" : fmt::format("if ({}) {{", when));
    bind(*c, values);
    if (c->guard != nullptr) {
      const std::string guard = without_brackets(value(*c->guard));
      open(fmt::format("if ({}) {{", guard));
    }
    run(*c);
    covered = c->takes_all();
    if (!covered) line("break;");
    if (c->guard != nullptr) close();
    close();
    if (covered) break;
  }
  if (!covered) line(otherwise);
  close("} while (false);");
}

// Whether one of the clauses takes a message, as accept() asks it.
std::string cpp_writer::guard_of(const method& m, const std::vector<const clause*>& clauses) {
  if (std::any_of(clauses.begin(), clauses.end(), [](const clause* c) { return c->takes_all(); }))
    return "abcl::always()";
  const auto used = used_;
  const auto locals = locals_;
  std::string head;
  std::vector<std::string> names;
  std::vector<const type*> types = m.as->elements;
  if (m.named_destination) types.push_back(m.takes->parts.back());
  for (std::size_t i = 0; i < types.size(); ++i) {
    names.push_back(fresh("element-" + std::to_string(i + 1)));
    head += fmt::format("{}const {}& {}", head.empty() ? "" : ", ", cpp_type(types[i]), names.back());
    constants_.insert(names.back());
  }
  const std::string name = numbered("guard");
  const std::string rest = m.to && !m.named_destination ? ", const auto&..." : "";
  open(fmt::format("const auto {} = [&]({}{}) {{", name, head,
                   rest.empty()   ? ""
                   : head.empty() ? "const auto&..."
                                  : rest));
  for (const clause* c : clauses) {
    const std::string when = condition(*c, names);
    open(when.empty() ? "{" : fmt::format("if ({}) {{", when));
    bind(*c, names);
    if (c->guard != nullptr) {
      at(*c->guard);
      const std::string guard = without_brackets(value(*c->guard));
      line(fmt::format("if ({}) return true;", guard));
    } else {
      line("return true;");
    }
    close();
  }
  line("return false;");
  close("};");
  used_ = used;
  used_.insert(name);
  locals_ = locals;
  return name;
}

// Waits for one of the messages. With several, the variable `which` gets the number of the entry by which one has come.
void cpp_writer::await_message(const tree::cases& e, const std::string& accepted, const std::string& which) {
  const auto accept = [&](const std::string& declared) {
    line("waits_for_ = true;");
    at(e);
    await_line(which.empty() ? accepted : fmt::format("{}{} = {}", declared, which, accepted));
  };
  if (!express_clause_) {
    if (interruptible_) line("express_.waits();");
    return accept("const int ");
  }
  // The clause that it has interrupted may wait for a message, too.
  const std::string waited = numbered("waited");
  line(fmt::format("const bool {} = waits_for_;", waited));
  if (!which.empty()) line(fmt::format("int {} = 0;", which));
  await_line("co_await tsubu::yield();");
  open("{");
  line(fmt::format("const abcl::express_gate::listening {}(express_);", numbered("listening")));
  accept("");
  close();
  line(fmt::format("waits_for_ = {};", waited));
}

// Executes the clause that fits the message which the method of `w` has put aside.
void cpp_writer::execute_taken(const waited_for& w, const std::string& result, span where) {
  const method& m = *w.by;
  const std::string taken = numbered("message");
  line(fmt::format("auto {} = std::move({});", taken, taken_name(m)));
  if (interruptible_) {
    // Who has asked by it is left, too.
    if (plan_.non_resume && m.answers() && !m.named_destination)
      line(fmt::format("if (express_.leaves()) {}.asker.leave();", taken));
    await_line("co_await express_.clear();");
  }
  std::vector<std::string> values;
  const std::size_t elements = m.as->elements.size() + (m.named_destination ? 1 : 0);
  for (std::size_t k = 0; k < elements; ++k) values.push_back(fmt::format("std::get<{}>({}.values)", k, taken));
  const auto run = [&](const clause& each) {
    const std::string asker = asker_;
    const type* const answer = answer_;
    if (each.replies) {
      answer_ = each.takes->answer();
      asker_ = m.named_destination ? numbered("asker") : taken + ".asker";
      if (m.named_destination) line(fmt::format("{} {}({});", asker_type(m), asker_, values.back()));
    }
    for (std::size_t k = 0; k + 1 < each.body.size(); ++k) statement(*each.body[k]);
    if (!each.body.empty()) result.empty() ? statement(*each.body.back()) : assign(result, *each.body.back());
    clause_ends(each);
    asker_ = asker;
    answer_ = answer;
  };
  chain(w.clauses, values, run, fmt::format("abcl::fail({}, \"no clause fits this message\");", site(where)));
}

std::string cpp_writer::wait_for(const tree::cases& e) {
  std::vector<waited_for> taking;
  for (const clause& each : e.clauses) {
    const method* const m = class_->find(each.takes);
    auto same = std::find_if(taking.begin(), taking.end(), [&](const waited_for& w) { return w.by == m; });
    if (same == taking.end()) same = taking.insert(same, {m, {}, 0});
    same->clauses.push_back(&each);
  }
  std::string result;
  if (has_value(e.of)) {
    result = numbered("taken");
    line(fmt::format("{} {}{{}};", cpp_type(e.of), result));
  }
  std::string pointers, guards;
  std::size_t count = 0;
  for (waited_for& w : taking) {
    const std::string guard = guard_of(*w.by, w.clauses);
    for (const entry& each : entries(*class_, *w.by)) {
      pointers += (pointers.empty() ? "" : ", ") + each.pointer;
      guards += (guards.empty() ? "" : ", ") + guard;
      ++count;
    }
    w.end = count;
  }
  const std::string which = numbered("which");
  await_message(e, fmt::format("co_await accept<{}>({});", pointers, guards), taking.size() > 1 ? which : "");
  for (const waited_for& w : taking) {
    const std::string test = &w == &taking.back() ? "{" : fmt::format("if ({} < {}) {{", which, w.end);
    if (&w != &taking.front()) --indent_;
    open(&w == &taking.front() ? test : "} else " + test);
    execute_taken(w, result, e.where);
  }
  close();
  return result.empty() ? "abcl::none()" : result;
}

}  // namespace abcl
