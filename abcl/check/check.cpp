#include "abcl/check/check.hpp"

#include "abcl/check/aliases.hpp"
#include "abcl/check/analysis.hpp"
#include "abcl/check/bodies.hpp"
#include "abcl/check/declarations.hpp"
#include "abcl/check/guards.hpp"
#include "abcl/check/headers.hpp"
#include "abcl/check/operators.hpp"
#include "abcl/check/special_forms.hpp"

namespace abcl {
namespace {

bool is_main(const form& f) { return f.begins_with("class") && f.parts.size() > 1 && f.parts[1].is_symbol("Main"); }

}  // namespace

std::unique_ptr<program> check(const std::vector<const forms*>& files, diagnostics& into) {
  auto made = std::make_unique<program>();
  declarations declared(*made, into);
  for (const forms* file : files) {
    for (std::size_t i = 0; i < file->all.size(); ++i) {
      // A program that is used brings its classes along, but for its own begin.
      if (file == files.front() || !is_main(file->all[i])) declared.add(file->all[i], file->damaged[i]);
    }
  }
  environment names(*made, into);
  type_reader type_forms(*made, into);
  type_forms.add(declared.aliases());
  const context outside{*made, made->types, into, names, type_forms};
  for (class_text& c : declared.classes()) read_header(outside, c);
  for (function_text& f : declared.functions()) read_header(outside, f);
  for (function_text& f : declared.functions()) read_body(outside, f);
  for (class_text& c : declared.classes()) read_body(outside, c);
  find_effects(*made);
  forbid_effects_in_guards(*made, into);
  explain_aliases(*made, into);
  return made;
}

std::vector<std::string_view> forms_of_the_language() {
  std::vector<std::string_view> all;
  for (const special_form& each : special_forms()) all.push_back(each.name);
  all.insert(all.end(), {"class", "function", "type", "foreign", "use"});
  for (const known_operator& each : operators()) all.push_back(each.name);
  for (const library_function& each : library_functions()) all.push_back(each.name);
  return all;
}

}  // namespace abcl
