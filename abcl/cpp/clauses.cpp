#include "abcl/cpp/clauses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/values.hpp"
#include "abcl/resolve/script.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::cpp {

namespace {

// Whether the literals of its pattern fit; "": it has none.
std::string condition(function_scope& in, const clause& c, const std::vector<cpp_value>& values) {
  std::string all;
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    if (c.pattern[i].literal == nullptr) continue;
    all += fmt::format("{}{} == {}", all.empty() ? "" : " && ", values[i].operand(),
                       value(in, *c.pattern[i].literal).operand());
  }
  return all;
}

// Its names stand for the values.
void bind_names(function_scope& in, const clause& c, const std::vector<cpp_value>& values) {
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    const variable* const v = c.pattern[i].bound;
    if (v == nullptr || v->uses.empty()) continue;
    if (!values[i].is_constant) {
      const std::string name = in.names.name_of(*v);
      in.line(fmt::format("const {} {} = {};", cpp_type(v->of), name, values[i].operand()));
      in.names.bind(*v, constant(name));
    } else {
      in.names.bind(*v, values[i]);
    }
  }
}

// Whether one of the clauses takes a message, as accept() asks it.
std::string guard_of(function_scope& in, const method& m, const std::vector<const clause*>& clauses) {
  if (std::any_of(clauses.begin(), clauses.end(), [](const clause* c) { return c->takes_all(); }))
    return "abcl::always()";
  const name_scope outside = in.names;
  std::string head;
  std::vector<cpp_value> names;
  std::vector<const type*> types = m.as->elements;
  if (m.named_destination) types.push_back(m.takes->parts.back());
  for (std::size_t i = 0; i < types.size(); ++i) {
    names.push_back(constant(in.names.fresh("element-" + std::to_string(i + 1))));
    append(head, fmt::format("const {}& {}", cpp_type(types[i]), names.back().text));
  }
  const std::string name = in.names.numbered("guard");
  const std::string rest = m.to && !m.named_destination ? ", const auto&..." : "";
  in.open(fmt::format("const auto {} = [&]({}{}) {{", name, head,
                      rest.empty()   ? ""
                      : head.empty() ? "const auto&..."
                                     : rest));
  for (const clause* c : clauses) {
    const std::string when = condition(in, *c, names);
    in.open(when.empty() ? "{" : fmt::format("if ({}) {{", when));
    bind_names(in, *c, names);
    if (c->guard != nullptr) {
      in.at(*c->guard);
      const std::string guard = value(in, *c->guard).text;
      in.line(fmt::format("if ({}) return true;", guard));
    } else {
      in.line("return true;");
    }
    in.close();
  }
  in.line("return false;");
  in.close("};");
  in.names = outside;
  in.names.add(name);
  return name;
}

}  // namespace

void chain(function_scope& in, const std::vector<const clause*>& clauses, const std::vector<cpp_value>& values,
           const std::function<void(const clause&)>& run, const std::string& otherwise) {
  if (clauses.size() == 1 && clauses[0]->takes_all()) {
    bind_names(in, *clauses[0], values);
    return run(*clauses[0]);
  }
  in.open("do {");
  ++in.breakable;
  bool covered = false;
  for (const clause* c : clauses) {
    const std::string when = condition(in, *c, values);
    in.open(when.empty() ? "{" : fmt::format("if ({}) {{", when));
    bind_names(in, *c, values);
    if (c->guard != nullptr) {
      const std::string guard = value(in, *c->guard).text;
      in.open(fmt::format("if ({}) {{", guard));
    }
    run(*c);
    covered = c->takes_all();
    if (!covered) in.line("break;");
    if (c->guard != nullptr) in.close();
    in.close();
    if (covered) break;
  }
  if (!covered) in.line(otherwise);
  --in.breakable;
  in.close("} while (false);");
}

void clause_ends(function_scope& in, const clause& c) {
  if (!c.replies || replies_at_its_end(c)) return;
  in.at(c.where);
  in.line(fmt::format("{}.ended({});", in.owes.asker, in.site(c.where)));
}

void accepted_messages::add(function_scope& in, const method& m, const std::vector<const clause*>& clauses) {
  const std::string guard = guard_of(in, m, clauses);
  for (const entry& each : cpp::entries(m)) {
    append(pointers_, each.pointer);
    append(guards_, guard);
    ++entries_;
  }
}

std::string accepted_messages::awaited(function_scope& in, const tree::cases& by) const {
  const bool of_script = by.what == op::script;
  const std::string where = in.site(by.where, of_script ? awaited_by_script : awaited_messages(by.clauses));
  return fmt::format("co_await {}<{}>({}, {})", of_script ? "serve_at" : "accept_at", pointers_, where, guards_);
}

}  // namespace abcl::cpp
