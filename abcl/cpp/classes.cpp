#include "abcl/cpp/classes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/cpp/clauses.hpp"
#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/foreign.hpp"
#include "abcl/cpp/function_scope.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl::cpp {
namespace {

// The constructor has nothing to do.
bool is_plain(const class_plan& c) {
  return c.of->arguments.empty() && c.of->state.empty() && !c.has_body() && c.of->body.empty();
}

// "class C final : public ... {"
std::string class_head(const translation_unit& to, const class_plan& c) {
  const bool not_collected = to.collects && c.all_once;
  const std::string base = fmt::format("abcl::object<{}{}>", c.name, not_collected ? ", false" : "");
  std::string bases = "public " + (c.foreign ? foreign_base(c) : base);
  for (const method& m : c.methods) {
    if (m.by_interface()) append(bases, "public " + m.as->interface(m.express));
    if (c.sends_on(m)) append(bases, "public " + m.as->interface(true));
  }
  return fmt::format("class {} final : {} {{", c.name, bases);
}

void declare_methods(translation_unit& to, const class_plan& c) {
  const name_scope names(to.plan.names(), &c.members);
  const auto arguments = [&](const method& m) {
    name_scope of_method = names;
    return argument_names(of_method, m);
  };
  for (const method& m : c.methods) {
    for (const entry& e : functions_of(m)) to.text.line(declaration(m, e, arguments(m)));
    if (!c.sends_on(m)) continue;
    const entry by = sending_on(m);
    to.text.line(fmt::format("tsubu::task<void> {}({}) override;", by.name, arguments_of(m, by, arguments(m))));
  }
}

void declare_common(translation_unit& to, const class_plan& c) {
  for (const method& m : c.methods) {
    if (!has_common(m)) continue;
    name_scope names(to.plan.names(), nullptr);
    to.text.line(common_declaration(to.plan, m, argument_names(names, m)));
  }
}

void declare_members(translation_unit& to, const class_plan& c) {
  if (!c.foreign) {
    for (const auto* all : {&c.of->arguments, &c.of->state}) {
      for (const variable* v : *all) to.text.line(fmt::format("{} {}{{}};", cpp_type(v->of), c.members.at(v)));
    }
  }
  if (c.has_express) to.text.line("abcl::express_gate express_{*this};");
  if (std::any_of(c.methods.begin(), c.methods.end(), [](const method& m) { return m.in_wait_for; }))
    to.text.line("bool waits_for_ = false;  // and what has come then:");
  for (const method& m : c.methods) {
    if (m.in_wait_for) to.text.line(fmt::format("{} {};", taken_type(to.plan, m), taken_name(m)));
  }
}

// The names in its state, for the collector.
void show_names(translation_unit& to, const class_plan& c) {
  std::string list;
  for (const auto* all : {&c.of->arguments, &c.of->state}) {
    for (const variable* v : *all) {
      if (shows_names(v->of)) append(list, c.members.at(v));
    }
  }
  if (!list.empty()) to.text.line(fmt::format("void serialize(abcl::edges& to) {{ to({}); }}", list));
}

void constructor(translation_unit& to, const class_plan& c) {
  if (c.foreign) return foreign_constructor(to, c);
  function_scope in(to, &c, false);
  std::string list, first;
  std::set<std::string> names;
  for (const variable* v : c.of->arguments) {
    const std::string name = cpp_name(v->name, names);
    in.names.add(name);
    append(list, cpp_type(v->of) + ' ' + name);
    append(first, fmt::format("{}({})", c.members.at(v), name));
  }
  in.at(c.of->name_where);
  in.open(fmt::format("inline {}::{}({}){} {{", c.name, c.name, list, first.empty() ? "" : " : " + first));
  for (std::size_t i = 0; i < c.of->state.size(); ++i) {
    if (c.of->initial[i] != nullptr) assign(in, c.members.at(c.of->state[i]), *c.of->initial[i]);
  }
  if (c.has_body()) {
    in.line(fmt::format("begin<&{}::body>();", c.name));
  } else {
    statements(in, c.of->body);
  }
  in.end_function();
}

// What stands before the script, where that waits.
void first_statements(function_scope& in, const class_plan& c) {
  // What is left of it by (non-resume) is not executed; its script is.
  const bool interruptible = c.has_express && c.body_waits;
  const bool may_be_left = in.plan.non_resume && c.script != nullptr && c.body_waits;
  if (may_be_left || interruptible) in.open(may_be_left ? "try {" : "{");
  if (interruptible) in.line("const abcl::express_gate::normal normal_1(express_);");
  in.interruptible = interruptible;
  statements(in, c.of->body);
  in.interruptible = false;
  if (may_be_left) {
    in.close("} catch (const abcl::not_resumed&) {");
    in.line("}");
  } else if (interruptible) {
    in.close();
  }
}

// What runs as the first message: forms that wait, a script that leaves messages in the queue, or none at all.
void body(translation_unit& to, const class_plan& c) {
  function_scope in(to, &c, true);
  in.at(c.of->name_where);
  in.open(fmt::format("inline tsubu::task<void> {}::body() {{", c.name));
  first_statements(in, c);
  if (c.script == nullptr) {
    if (exits_behind_body(*c.of, to.start)) in.line("abcl::exit(0);");
    in.await_line("co_await abcl::forever();");
  } else if (c.guarded) {
    accepted_messages accepted;
    for (const method& m : c.methods) {
      if (!m.clauses.empty() && !m.express) accepted.add(in, m, m.clauses);
    }
    in.at(*c.script);
    in.await_line(accepted.awaited(in, *c.script) + ';');
  }
  in.end_function();
}

}  // namespace

void declare_class(translation_unit& to, const class_plan& c) {
  text_writer& text = to.text;
  text.nowhere();
  if (to.start == nullptr) text.line(fmt::format("// {}", spelled(c.of->interface)));
  text.open(class_head(to, c));
  text.label("public:");
  std::string list;
  std::set<std::string> names;
  for (const variable* v : c.of->arguments) append(list, cpp_type(v->of) + ' ' + cpp_name(v->name, names));
  if (!is_plain(c)) text.line(fmt::format("{}{}({});", c.of->arguments.size() == 1 ? "explicit " : "", c.name, list));
  declare_methods(to, c);
  if (to.collects && !c.foreign && !c.all_once) show_names(to, c);
  if (c.has_body() || !c.members.empty() ||
      std::any_of(c.methods.begin(), c.methods.end(), [](const method& m) { return m.in_wait_for || m.keeps(); })) {
    text.line("");
    text.label("private:");
  }
  if (c.has_body()) text.line("tsubu::task<void> body();");
  declare_common(to, c);
  declare_members(to, c);
  text.close("};");
  text.line("");
}

void write_beginning(translation_unit& to, const class_plan& c) {
  if (!is_plain(c)) constructor(to, c);
  if (c.has_body()) body(to, c);
}

}  // namespace abcl::cpp
