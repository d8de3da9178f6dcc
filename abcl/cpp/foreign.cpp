#include "abcl/cpp/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "abcl/cpp/cpp.hpp"
#include "abcl/cpp/function_scope.hpp"
#include "abcl/cpp/functions.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/types.hpp"

namespace abcl {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const source& s) { return fs::path(s.name()).parent_path(); }

// A header's name, as it is found from the folder of the first file; so that the text does not tell where that is.
std::string name_from_first(const sources& texts, const foreign_file& f) {
  const fs::path name = folder_of(texts.of(f.where)) / f.name;
  const fs::path first = folder_of(texts.all().front());
  return first.empty() ? name.lexically_normal().string() : name.lexically_relative(first).string();
}

}  // namespace

namespace cpp {

std::string foreign_includes(const translation_unit& to) {
  if (to.plan.of.foreign.empty()) return {};
  // What calls a method of C++ has a frame of its own in this source, which g++ takes for one in a header.
  std::string all =
      "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif\n"
      "#include \"abcl/runtime/foreign.hpp\"\n";
  for (const foreign_file& f : to.plan.of.foreign) {
    if (!f.is_header) continue;
    const source& from = to.texts.of(f.where);
    all += line_directive(from, from.place_of(f.where.begin).line);
    all += "#include " + (f.of_the_system() ? f.name : '"' + name_from_first(to.texts, f) + '"') + '\n';
  }
  return all;
}

void foreign_function(translation_unit& to, const function_def& f) {
  function_scope in(to, f);
  in.at(f.name_where);
  const std::string head = signature(in, f, false);
  std::string list;
  for (const variable* a : f.arguments) append(list, in.names.name_of(*a));
  in.line(fmt::format("{} {{ return abcl::value_of_cpp<{}>(called_, [&]() -> decltype(auto) {{ return {}({}); }}); }}",
                      head, cpp_type(f.result), f.cpp, list));
  in.line("");
}

std::string foreign_base(const class_plan& c) { return fmt::format("abcl::cpp_object<{}, {}>", c.name, c.of->cpp); }

void foreign_constructor(translation_unit& to, const class_plan& c) {
  function_scope in(to, &c, false);
  std::string list, values;
  std::set<std::string> names;
  for (const variable* v : c.of->arguments) {
    const std::string name = cpp_name(v->name, names);
    append(list, cpp_type(v->of) + ' ' + name);
    append(values, name);
  }
  in.at(c.of->name_where);
  in.line(fmt::format("inline {}::{}({}) : {}({}) {{}}", c.name, c.name, list, foreign_base(c), values));
  in.line("");
}

void foreign_method(translation_unit& to, const method& m, const entry& e) {
  const class_def& c = *m.of->of;
  function_scope in(to, m.of, false, spelled(m.takes));
  in.at(c.name_where);
  for (const auto& [message, where] : c.messages) {
    if (message == m.takes) in.at(where);
  }
  const std::vector<std::string> arguments = argument_names(in.names, m);
  const std::string list = joined(arguments);
  std::set<std::string> none;
  const std::string name = m.as->tag.empty() ? std::string("operator()") : cpp_name(m.as->tag.substr(1), none);
  const std::string answer = m.answers() && has_value(m.as->answer) ? cpp_type(m.as->answer) : "void";
  const std::string held = list.empty() ? "this" : "this, " + list;
  const std::string call = fmt::format("this->{}::{}({})", c.cpp, name, list);
  in.line(fmt::format("{} return abcl::answer_of_cpp<{}>({}, [{}]() mutable -> decltype(auto) {{ return {}; }}); }}",
                      head(m, e, arguments), answer, in.site(c.name_where), held, call));
  in.line("");
}

}  // namespace cpp

foreign_parts foreign_parts_of(const program& p, const sources& texts) {
  foreign_parts all;
  if (p.foreign.empty()) return all;
  all.words = {"-iquote", fs::absolute(folder_of(texts.all().front()) / ".").lexically_normal().string()};
  for (const foreign_file& f : p.foreign) {
    if (f.of_the_system()) continue;
    const std::string file = fs::absolute(folder_of(texts.of(f.where)) / f.name).lexically_normal().string();
    std::vector<std::string>& into = f.is_header ? all.headers : all.words;
    if (std::find(into.begin(), into.end(), file) == into.end()) into.push_back(file);
  }
  return all;
}

}  // namespace abcl
