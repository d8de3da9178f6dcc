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

std::string cpp_writer::wait_for(const tree::cases& e) {
  const class_plan& c = *class_;
  std::vector<const method*> taking;
  for (const clause& each : e.clauses) {
    const method* const m = c.find(each.takes);
    if (std::find(taking.begin(), taking.end(), m) == taking.end()) taking.push_back(m);
  }
  std::string result;
  if (has_value(e.of)) {
    result = numbered("taken");
    line(fmt::format("{} {}{{}};", cpp_type(e.of), result));
  }
  std::string pointers, guards;
  std::vector<std::size_t> ends;  // of the entries of each
  std::size_t count = 0;
  for (const method* m : taking) {
    std::vector<const clause*> clauses;
    for (const clause& each : e.clauses) {
      if (each.takes == m->takes) clauses.push_back(&each);
    }
    const std::string guard = guard_of(*m, clauses);
    for (const entry& each : entries(c, *m)) {
      pointers += (pointers.empty() ? "" : ", ") + each.pointer;
      guards += (guards.empty() ? "" : ", ") + guard;
      ++count;
    }
    ends.push_back(count);
  }
  const std::string which = numbered("which");
  const std::string accepted = fmt::format("co_await accept<{}>({});", pointers, guards);
  if (urgent_) {
    // The clause that it has interrupted may wait for a message, too.
    const std::string waited = numbered("waited");
    line(fmt::format("const bool {} = waits_for_;", waited));
    if (taking.size() > 1) line(fmt::format("int {} = 0;", which));
    await_line("co_await tsubu::yield();");
    open("{");
    line(fmt::format("const abcl::express_gate::listening {}(express_);", numbered("listening")));
    line("waits_for_ = true;");
    at(e);
    await_line(taking.size() > 1 ? fmt::format("{} = {}", which, accepted) : accepted);
    close();
    line(fmt::format("waits_for_ = {};", waited));
  } else {
    if (interruptible_) line("express_.waits();");
    line("waits_for_ = true;");
    at(e);
    await_line(taking.size() > 1 ? fmt::format("const int {} = {}", which, accepted) : accepted);
  }
  for (std::size_t i = 0; i < taking.size(); ++i) {
    const method& m = *taking[i];
    if (taking.size() > 1) {
      const bool last = i + 1 == taking.size();
      const std::string test = last ? "{" : fmt::format("if ({} < {}) {{", which, ends[i]);
      if (i == 0) {
        open(test);
      } else {
        close("} else " + test);
        ++indent_;
      }
    } else {
      open("{");
    }
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
    std::vector<const clause*> clauses;
    for (const clause& each : e.clauses) {
      if (each.takes == m.takes) clauses.push_back(&each);
    }
    const auto run = [&](const clause& each) {
      const std::string asker = asker_;
      const type* const answer = answer_;
      if (each.replies) {
        answer_ = each.takes->answer();
        if (m.named_destination) {
          asker_ = numbered("asker");
          line(fmt::format("{} {}({});", asker_type(m), asker_, values.back()));
        } else {
          asker_ = taken + ".asker";
        }
      }
      for (std::size_t k = 0; k + 1 < each.body.size(); ++k) statement(*each.body[k]);
      if (!each.body.empty()) {
        if (result.empty())
          statement(*each.body.back());
        else
          assign(result, *each.body.back());
      }
      clause_ends(each);
      asker_ = asker;
      answer_ = answer;
    };
    chain(clauses, values, run, fmt::format("abcl::fail({}, \"no clause fits this message\");", site(e.where)));
  }
  close();
  return result.empty() ? "abcl::none()" : result;
}

}  // namespace abcl
