// The file as a whole: interfaces, functions, classes, the start.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/cpp.hpp"
#include "abcl/cpp/writer.hpp"

namespace abcl {

std::string to_cpp(const program& p, const sources& texts, const class_def& start) {
  return cpp_writer(p, texts, start).run();
}

std::string to_header(const program& p, const sources& texts, const std::string& in_namespace) {
  std::set<std::string> none;
  return cpp_writer(p, texts, cpp_name(in_namespace, none)).run();
}

std::string cpp_writer::line_directive(const source& of, int line) {
  std::string name;
  for (const char c : of.name()) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  return fmt::format("#line {} \"{}\"\n", line, name);
}

void cpp_writer::write_line(const std::string& text, bool waits) {
  if (text.empty()) {
    if (!out_.ends_with("\n\n")) out_ += '\n';
    ++counted_line_;
    return;
  }
  // A directive where the ABCL/ST line changes, and before each wait, whose line reports name.
  const bool changes = place_ != line_;
  const bool names = waits && counted_line_ != place_.second;
  if (place_.first != nullptr && (changes || names)) {
    out_ += line_directive(*place_.first, place_.second);
    line_ = place_;
    counted_line_ = place_.second;
  }
  out_.append(static_cast<std::size_t>(indent_) * 2, ' ');
  out_ += text;
  out_ += '\n';
  ++counted_line_;
}

void cpp_writer::waiting_line(const std::string& text) {
  if (interruptible_) line("express_.waits();");
  await_line(text);
  if (interruptible_) await_line("co_await express_.clear();");
}

void cpp_writer::open(const std::string& text) {
  line(text);
  ++indent_;
}

void cpp_writer::close(const std::string& text) {
  --indent_;
  line(text);
}

void cpp_writer::at(span where) {
  const source& from = texts_.of(where);
  place_ = {&from, from.place_of(where.begin).line};
}

std::string cpp_writer::site(span where) {
  const source& from = texts_.of(where);
  std::string name;
  for (const char c : from.name()) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  std::string in(class_ == nullptr ? function_ : class_->of->name), message;
  for (const char c : message_) {
    if (c == '"' || c == '\\') message += '\\';
    message += c;
  }
  const std::string text =
      fmt::format("{{\"{}\", {}, \"{}\", \"{}\"}}", name, from.place_of(where.begin).line, in, message);
  const auto [found, is_new] = site_numbers_.emplace(text, sites_.size());
  if (is_new) sites_.push_back(text);
  return fmt::format("sites[{}]", found->second);
}

void cpp_writer::forget_names() {
  used_ = plan_.names();
  used_.insert({"asker_1", "destination_1", "from_1", "value_1", "waits_for_", "express_", "ends_"});
  if (class_ == nullptr) return;
  for (const auto& [v, name] : class_->members) used_.insert(name);
}

void cpp_writer::begin_function(const class_plan* c, bool waits) {
  class_ = c;
  waits_ = waits;
  interruptible_ = express_clause_ = nests_ = false;
  asker_.clear();
  message_.clear();
  loops_ = created_ = 0;
  answer_ = nullptr;
  forget_names();
  constants_.clear();
  locals_.clear();
  line_ = place_ = {};
}

// What objects of several classes take that are known by it only.
void cpp_writer::interfaces() {
  const auto write = [&](const selector& s, bool express, bool waits) {
    std::string list;
    for (const type* t : s.elements) list += (list.empty() ? "" : ", ") + cpp_type(t);
    if (s.answer != nullptr) list += (list.empty() ? "" : ", ") + std::string("abcl::destination");
    const std::string name = s.interface(express);
    open(fmt::format("struct {} {{", name));
    line(
        fmt::format("virtual {} {}({}) = 0;", waits ? "tsubu::task<void>" : "void", s.interface_method(express), list));
    line("");
    --indent_;
    line(" protected:");
    ++indent_;
    line(fmt::format("~{}() = default;", name));
    close("};");
    line("");
  };
  for (const selector& s : plan_.selectors) {
    if (s.by_interface) write(s, false, s.interface_waits);
    if (s.express_by_interface) write(s, true, true);
  }
}

std::string cpp_writer::signature(const function_def& f, bool declares) {
  std::string list;
  for (const variable* a : f.arguments)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", cpp_type(a->of), name_of(*a));
  if (!f.cpp.empty()) list = "const abcl::site& called_" + std::string(list.empty() ? "" : ", ") + list;
  if (plan_.recursive.contains(&f))
    list += fmt::format("{}std::int64_t nested_{}", list.empty() ? "" : ", ", declares ? " = 1" : "");
  return fmt::format("inline {} {}({})", cpp_type(f.result), plan_.functions.at(&f), list);
}

// It may be deep: it knows how deep, and goes on on another stack where this one is used up.
void cpp_writer::nested_call(const function_def& f) {
  std::string list;
  for (const variable* a : f.arguments) list += name_of(*a) + ", ";
  open("if (abcl::is_deep(nested_)) [[unlikely]] {");
  line(fmt::format("return abcl::deep_call(nested_, {}, [=]() {{ return {}({}nested_); }});", site(f.name_where),
                   plan_.functions.at(&f), list));
  close();
}

void cpp_writer::function(const function_def& f) {
  if (!f.cpp.empty()) return foreign_function(f);
  begin_function(nullptr, false);
  function_ = f.name;
  at(f.name_where);
  open(signature(f, false) + " {");
  nests_ = plan_.recursive.contains(&f);
  if (nests_) nested_call(f);
  for (std::size_t i = 0; i + 1 < f.body.size(); ++i) statement(*f.body[i]);
  const std::string v = without_brackets(value(*f.body.back()));
  line(fmt::format("return {};", v));
  close();
  line("");
}

void cpp_writer::declare(const class_plan& c) {
  begin_function(&c, false);
  std::string bases = "public " + (c.foreign ? foreign_base(c) : fmt::format("abcl::object<{}>", c.name));
  for (const method& m : c.methods) {
    if (m.by_interface()) bases += ", public " + m.as->interface(m.express);
    if (c.sends_on(m)) bases += ", public " + m.as->interface(true);
  }
  if (start_ == nullptr) line(fmt::format("// {}", shown(c.of->interface)));
  open(fmt::format("class {} final : {} {{", c.name, bases));
  --indent_;
  line(" public:");
  ++indent_;
  std::string list;
  std::set<std::string> names;
  for (const variable* v : c.of->arguments)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", cpp_type(v->of), cpp_name(v->name, names));
  if (!is_plain(c)) line(fmt::format("{}{}({});", c.of->arguments.size() == 1 ? "explicit " : "", c.name, list));
  for (const method& m : c.methods) {
    std::vector<std::string> own;
    for (const entry& e : entries(c, m)) {
      if (std::find(own.begin(), own.end(), e.name) != own.end()) continue;
      own.push_back(e.name);
      forget_names();
      line(head(nullptr, m, e, true) + ";");
    }
    if (!c.sends_on(m)) continue;
    forget_names();
    line(fmt::format("tsubu::task<void> {}({}) override;", m.as->interface_method(true),
                     arguments_of(m, {{}, false, m.answers(), true, {}})));
  }
  if (c.has_body() || !c.members.empty() ||
      std::any_of(c.methods.begin(), c.methods.end(), [](const method& m) { return m.in_wait_for || m.keeps(); })) {
    line("");
    --indent_;
    line(" private:");
    ++indent_;
  }
  if (c.has_body()) line("tsubu::task<void> body();");
  bool waits_for = false;
  for (const method& m : c.methods) {
    waits_for |= m.in_wait_for;
    std::vector<std::string> own;
    for (const entry& e : entries(c, m)) {
      if (std::find(own.begin(), own.end(), e.name) == own.end()) own.push_back(e.name);
    }
    if (own.size() > 1 && !m.returns) {
      const class_plan* const before = class_;
      take_head(nullptr, m);
      class_ = before;
    }
  }
  for (const auto* all : {&c.of->arguments, &c.of->state}) {
    for (const variable* v : *all) {
      if (c.foreign) break;
      line(fmt::format("{} {}{{}};", cpp_type(v->of), c.members.at(v)));
    }
  }
  if (c.has_express) line("abcl::express_gate express_{*this};");
  if (c.guarded && c.ends_itself) line("bool ends_ = false;");
  if (waits_for) line("bool waits_for_ = false;  // and what has come then:");
  for (const method& m : c.methods) {
    if (!m.in_wait_for) continue;
    line(fmt::format("{} {};", taken_type(m), taken_name(m)));
  }
  close("};");
  line("");
}

// How the messages are written that objects may be sent when they have ended.
void cpp_writer::shown_messages() {
  std::map<std::string, std::string> rows;
  for (const class_plan& c : plan_.classes) {
    if (!c.ends_itself) continue;
    for (const method& m : c.methods) {
      for (const entry& e : entries(c, m))
        rows.emplace(e.pointer, fmt::format("abcl::shown<{}>({})", e.pointer, quoted(shown(m.takes))));
    }
  }
  if (rows.empty()) return;
  open("inline constexpr abcl::shown_message messages[] = {");
  for (const auto& [pointer, row] : rows) line(row + ",");
  close("};");
  line("inline const bool messages_known = abcl::add_messages(messages);");
  line("");
}

// What takes express messages begins while its object waits.
void cpp_writer::reentrant_methods() {
  std::string all;
  std::set<std::string> pointers;
  for (const class_plan& c : plan_.classes) {
    for (const method& m : c.methods) {
      if (!m.express) continue;
      for (const entry& e : entries(c, m)) pointers.insert(e.pointer);  // those of interfaces are of several classes
    }
  }
  for (const std::string& p : pointers)
    all += fmt::format("template <>\ninline constexpr bool tsubu::reentrant<&{}{}> = true;\n",
                       namespace_.empty() ? "" : namespace_ + "::", p.substr(1));
  if (all.empty()) return;
  out_ += end_namespace() + '\n' + all + '\n' + begin_namespace() + '\n';
}

std::string cpp_writer::begin_namespace() const {
  return namespace_.empty() ? "namespace {\n" : fmt::format("namespace {} {{\n", namespace_);
}

std::string cpp_writer::end_namespace() const {
  return fmt::format("}}  // namespace{}{}\n", namespace_.empty() ? "" : " ", namespace_);
}

std::string cpp_writer::main() {
  const class_plan& main = plan_.find(start_);
  std::string types;
  for (const variable* a : main.of->arguments) types += ", " + cpp_type(a->of);
  return fmt::format("int main(int argc, char** argv) {{ return abcl::run<{}{}>(argc, argv, sites); }}", main.name,
                     types);
}

std::string cpp_writer::run() {
  interfaces();
  if (!plan_.of.functions.empty()) {
    line("namespace functions {");
    for (const function_def& f : plan_.of.functions) {
      begin_function(nullptr, false);
      line(signature(f, true) + ";");
    }
    line("}  // namespace functions");
    line("");
  }
  for (const class_plan& c : plan_.classes) line(fmt::format("class {};", c.name));
  line("");
  for (const class_plan& c : plan_.classes) declare(c);
  reentrant_methods();
  shown_messages();
  if (!plan_.of.functions.empty()) {
    line("namespace functions {");
    for (const function_def& f : plan_.of.functions) function(f);
    place_ = {};
    line("}  // namespace functions");
    line("");
  }
  for (const class_plan& c : plan_.classes) {
    if (!is_plain(c)) constructor(c);
    if (c.has_body()) body(c);
    for (const method& m : c.methods) {
      methods(c, m);
      if (c.sends_on(m)) send_on(c, m);
    }
  }
  std::string all = head();
  if (start_ == nullptr)
    return all + out_ + "inline const bool sites_known = abcl::add_sites(sites);\n\n" + end_namespace() +
           "\n#pragma GCC diagnostic pop\n";
  return all + out_ + end_namespace() + '\n' + main() + "\n";
}

std::string cpp_writer::head() {
  std::string all =
      fmt::format("// Made from {} by abcl, which has warned of what is not used.\n", texts_.all().front().name());
  if (start_ == nullptr) all += "#pragma once\n\n#pragma GCC diagnostic push\n";
  all +=
      "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
      "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
      "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n"
      "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
      "#pragma GCC diagnostic ignored \"-Wtautological-compare\"\n"
      "#ifdef __clang__\n#pragma GCC diagnostic ignored \"-Wself-assign-field\"\n#endif\n"
      "#include <cmath>\n#include <limits>\n\n#include \"abcl/runtime/abcl.hpp\"\n";
  if (uses_console_) all += "#include \"abcl/runtime/console.hpp\"\n";
  if (uses_library_) all += "#include \"abcl/runtime/library.hpp\"\n";
  all += foreign_includes();
  all += '\n' + begin_namespace() + "\ninline constexpr abcl::site sites[] = {\n";
  for (const std::string& s : sites_) all += "    " + s + ",\n";
  if (sites_.empty()) all += "    {\"\", 0, \"\", \"\"},\n";
  return all + "};\n\n";
}

}  // namespace abcl
