// What an ABCL/ST program has of C++: a function that calls the function, and a class derived from the class, each at
// the line of its declaration, so that the C++ compiler names that when it says what does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "abcl/cpp/cpp.hpp"
#include "abcl/cpp/writer.hpp"

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

std::string cpp_writer::foreign_includes() const {
  if (plan_.of.foreign.empty()) return {};
  // What calls a method of C++ has a frame of its own in this source, which g++ takes for one in a header.
  std::string all =
      "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif\n"
      "#include \"abcl/runtime/foreign.hpp\"\n";
  for (const foreign_file& f : plan_.of.foreign) {
    if (!f.is_header) continue;
    const source& from = texts_.of(f.where);
    all += line_directive(from, from.place_of(f.where.begin).line);
    all += "#include " + (f.of_the_system() ? f.name : '"' + name_from_first(texts_, f) + '"') + '\n';
  }
  return all;
}

void cpp_writer::foreign_function(const function_def& f) {
  begin_function(nullptr, false);
  function_ = f.name;
  at(f.name_where);
  std::string list;
  const std::string head = signature(f, false);
  for (const variable* a : f.arguments) list += (list.empty() ? "" : ", ") + name_of(*a);
  line(fmt::format("{} {{ return abcl::value_of_cpp<{}>(called_, [&]() -> decltype(auto) {{ return {}({}); }}); }}",
                   head, cpp_type(f.result), f.cpp, list));
  line("");
}

std::string cpp_writer::foreign_base(const class_plan& c) {
  return fmt::format("abcl::cpp_object<{}, {}>", c.name, c.of->cpp);
}

void cpp_writer::foreign_constructor(const class_plan& c) {
  begin_function(&c, false);
  std::string list, values;
  std::set<std::string> names;
  for (const variable* v : c.of->arguments) {
    const std::string name = cpp_name(v->name, names);
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", cpp_type(v->of), name);
    values += (values.empty() ? "" : ", ") + name;
  }
  at(c.of->name_where);
  line(fmt::format("inline {}::{}({}) : {}({}) {{}}", c.name, c.name, list, foreign_base(c), values));
  line("");
}

void cpp_writer::foreign_method(const class_plan& c, const method& m, const entry& e) {
  begin_function(&c, false);
  message_ = shown(m.takes);
  at(c.of->name_where);
  for (const auto& [message, where] : c.of->messages) {
    if (message == m.takes) at(where);
  }
  const auto used = used_;
  const std::string declared = head(&c, m, e, false);
  used_ = used;
  std::string list;
  for (const std::string& a : argument_names(m)) list += (list.empty() ? "" : ", ") + a;
  std::set<std::string> none;
  const std::string name = m.as->tag.empty() ? std::string("operator()") : cpp_name(m.as->tag.substr(1), none);
  const std::string answer = m.answers() && has_value(m.as->answer) ? cpp_type(m.as->answer) : "void";
  const std::string held = list.empty() ? "this" : "this, " + list;
  const std::string call = fmt::format("this->{}::{}({})", c.of->cpp, name, list);
  line(fmt::format("{} {{ return abcl::answer_of_cpp<{}>({}, [{}]() mutable -> decltype(auto) {{ return {}; }}); }}",
                   declared, answer, site(c.of->name_where), held, call));
  line("");
}

}  // namespace abcl
