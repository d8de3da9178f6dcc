// The file as a whole: interfaces, functions, classes, the start.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "abcl/cpp/classes.hpp"
#include "abcl/cpp/cpp.hpp"
#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/foreign.hpp"
#include "abcl/cpp/functions.hpp"
#include "abcl/cpp/methods.hpp"
#include "abcl/cpp/names.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/unit.hpp"

namespace abcl {
namespace cpp {
namespace {

// What objects of several classes take that are known by it only.
void interface(text_writer& text, const selector& s, bool express, bool waits) {
  std::string list;
  for (const type* t : s.elements) append(list, cpp_type(t));
  if (s.answer != nullptr) append(list, "abcl::destination");
  const std::string name = s.interface(express);
  text.open(fmt::format("struct {} {{", name));
  text.line(
      fmt::format("virtual {} {}({}) = 0;", waits ? "tsubu::task<void>" : "void", s.interface_method(express), list));
  text.line("");
  text.label("protected:");
  text.line(fmt::format("~{}() = default;", name));
  text.close("};");
  text.line("");
}

void interfaces(translation_unit& to) {
  for (const selector& s : to.plan.selectors) {
    if (s.by_interface) interface(to.text, s, false, s.interface_waits);
    if (s.express_by_interface) interface(to.text, s, true, true);
  }
}

// How the messages are written that objects may be sent when they have ended, or may leave in their queues.
void shown_messages(translation_unit& to) {
  std::map<std::string, std::string> rows;
  for (const class_plan& c : to.plan.classes) {
    const bool takes_some =
        std::any_of(c.methods.begin(), c.methods.end(), [](const method& m) { return m.in_wait_for; });
    if (!c.ends_itself && !c.guarded && !takes_some) continue;
    for (const method& m : c.methods) {
      for (const entry& e : entries(m))
        rows.emplace(e.pointer, fmt::format("abcl::shown<{}>({})", e.pointer, string_literal(spelled(m.takes))));
    }
  }
  if (rows.empty()) return;
  to.text.open("inline constexpr abcl::shown_message messages[] = {");
  for (const auto& [pointer, row] : rows) to.text.line(row + ",");
  to.text.close("};");
  to.text.line("inline const bool messages_known = abcl::add_messages(messages);");
  to.text.line("");
}

std::string begin_namespace(const translation_unit& to) {
  return to.in_namespace.empty() ? "namespace {\n" : fmt::format("namespace {} {{\n", to.in_namespace);
}

std::string end_namespace(const translation_unit& to) {
  return fmt::format("}}  // namespace{}{}\n", to.in_namespace.empty() ? "" : " ", to.in_namespace);
}

// What takes express messages begins while its object waits.
void reentrant_methods(translation_unit& to) {
  std::string all;
  std::set<std::string> pointers;
  for (const class_plan& c : to.plan.classes) {
    for (const method& m : c.methods) {
      if (!m.express) continue;
      for (const entry& e : entries(m)) pointers.insert(e.pointer);  // those of interfaces are of several classes
    }
  }
  for (const std::string& p : pointers)
    all += fmt::format("template <>\ninline constexpr bool tsubu::reentrant<&{}{}> = true;\n",
                       to.in_namespace.empty() ? "" : to.in_namespace + "::", p.substr(1));
  if (all.empty()) return;
  to.text.append(end_namespace(to) + '\n' + all + '\n' + begin_namespace(to) + '\n');
}

std::string main(const translation_unit& to) {
  const class_plan& main = to.plan.find(to.start);
  std::string arguments = main.name;
  for (const variable* a : main.of->arguments) append(arguments, cpp_type(a->of));
  return fmt::format("int main(int argc, char** argv) {{ return abcl::run<{}>(argc, argv, sites); }}\n", arguments);
}

std::string head(const translation_unit& to) {
  std::string all =
      fmt::format("// Made from {} by abcl, which has warned of what is not used.\n", to.texts.all().front().name());
  if (to.start == nullptr) all += "#pragma once\n\n#pragma GCC diagnostic push\n";
  all +=
      "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
      "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
      "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n"
      "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
      "#pragma GCC diagnostic ignored \"-Wtautological-compare\"\n"
      "#ifdef __clang__\n#pragma GCC diagnostic ignored \"-Wself-assign-field\"\n#endif\n"
      "#include <cmath>\n#include <limits>\n\n";
  if (to.collects) all += "#define ABCL_COLLECTS\n";
  all += "#include \"abcl/runtime/abcl.hpp\"\n";
  if (to.uses_console) all += "#include \"abcl/runtime/console.hpp\"\n";
  if (to.uses_library) all += "#include \"abcl/runtime/library.hpp\"\n";
  all += foreign_includes(to);
  all += '\n' + begin_namespace(to) + "\ninline constexpr abcl::site sites[] = {\n";
  for (const std::string& row : to.sites.rows()) all += "    " + row + ",\n";
  if (to.sites.rows().empty()) all += "    {\"\", 0, \"\", \"\"},\n";
  return all + "};\n\n";
}

std::string whole_text(translation_unit to) {
  interfaces(to);
  declare_functions(to);
  for (const class_plan& c : to.plan.classes) to.text.line(fmt::format("class {};", c.name));
  to.text.line("");
  for (const class_plan& c : to.plan.classes) declare_class(to, c);
  reentrant_methods(to);
  shown_messages(to);
  write_functions(to);
  for (const class_plan& c : to.plan.classes) {
    write_beginning(to, c);
    write_methods(to, c);
  }
  const std::string all = head(to) + to.text.text();
  if (to.start != nullptr) return all + end_namespace(to) + '\n' + main(to);
  return all + "inline const bool sites_known = abcl::add_sites(sites);\n\n" + end_namespace(to) +
         "\n#pragma GCC diagnostic pop\n";
}

}  // namespace
}  // namespace cpp

std::string to_cpp(const program& p, const sources& texts, const class_def& start, bool collects) {
  return cpp::whole_text({texts, cpp::plan(p), &start, {}, collects});
}

std::string to_header(const program& p, const sources& texts, const std::string& in_namespace, bool collects) {
  std::set<std::string> none;
  return cpp::whole_text({texts, cpp::plan(p, true), nullptr, cpp::cpp_name(in_namespace, none), collects});
}

}  // namespace abcl
