#include "eulash/analysis/facts.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

namespace eulash {

facts::facts() {
  library = add_object({object_kind::constant, "memory of the library's", "", {}});
  unknown = add_object({object_kind::unknown, "unknown memory", "", {}});
  arguments = add_object({object_kind::arguments, "the arguments of main", "", {}});
  values.point(values.held_by(unknown), unknown);
  values.point(values.held_by(arguments), arguments);
  values.point(values.held_by(library), library);
  returned_by_threads = values.fresh();
  specific = values.fresh();
}

object facts::add_object(object_facts o) {
  objects.push_back(std::move(o));
  return values.make_object();
}

int facts::function_named(const std::string& key) {
  const auto [at, is_new] = function_keys_.emplace(key, static_cast<int>(functions.size()));
  if (is_new) {
    functions.emplace_back();
    functions.back().others = values.fresh();
    functions.back().result = values.fresh();
  }
  return at->second;
}

bool facts::is_defined(const std::string& function) const {
  const auto found = function_keys_.find(function);
  return found != function_keys_.end() && functions[static_cast<std::size_t>(found->second)].defined;
}

object facts::object_of_function(int function) {
  const auto found = function_objects_.find(function);
  if (found != function_objects_.end()) return found->second;
  const object o = add_object({object_kind::function, functions[static_cast<std::size_t>(function)].name, "", {}});
  function_of[o] = function;
  return function_objects_[function] = o;
}

std::string key_of(const parsed& p, const clang::Expr* e) {
  const clang::SourceManager& sources = p.sources();
  const clang::SourceLocation begin = sources.getFileLoc(e->getBeginLoc()), end = sources.getFileLoc(e->getEndLoc());
  return fmt::format("{}:{}:{}", sources.getFilename(begin).str(), sources.getFileOffset(begin),
                     sources.getFileOffset(end));
}

std::string key_of(const parsed& p, const clang::NamedDecl* d) {
  if (d->hasExternalFormalLinkage()) return d->getNameAsString();
  const place at = p.place_of(llvm::cast<clang::NamedDecl>(d->getCanonicalDecl())->getLocation());
  return fmt::format("{}:{}:{}:{}", at.file, at.line, at.column, d->getNameAsString());
}

namespace {

void link(facts& f, pointer_call& call, int callee) {
  function_facts& to = f.functions[static_cast<std::size_t>(callee)];
  if (call.thread) {
    f.thread_functions.insert(callee);
    f.values.copy(to.result, f.returned_by_threads);
  } else {
    f.functions[static_cast<std::size_t>(call.function)].callees.insert(callee);
    f.values.copy(to.result, call.result);
  }
  for (std::size_t k = 0; k != call.arguments.size(); ++k)
    f.values.copy(call.arguments[k], k < to.parameters.size() ? to.parameters[k] : to.others);
}

}  // namespace

void solve(facts& f) {
  for (const outside_call& call : f.outside_calls) {
    const bool has_text = call.callee < 0 || f.functions[static_cast<std::size_t>(call.callee)].defined;
    if (!has_text) f.values.point(call.result, f.unknown);
  }
  for (bool changed = true; changed;) {
    changed = false;
    f.values.solve();
    for (pointer_call& call : f.pointer_calls) {
      for (const object o : std::set<object>(f.values.objects(call.callee))) {
        const auto found = f.function_of.find(o);
        if (found == f.function_of.end() || !call.linked.insert(found->second).second) continue;
        link(f, call, found->second);
        changed = true;
      }
    }
  }
  // Who follows a pointer of which nothing is known may find it there.
  for (const value v : f.values.stored_nowhere()) f.told_outside.push_back(v);
  for (const pointer_call& call : f.pointer_calls)
    if (call.linked.empty() && !call.thread)
      f.told_outside.insert(f.told_outside.end(), call.arguments.begin(), call.arguments.end());
  for (const value v : f.synchronised)
    for (const object o : f.values.objects(v)) f.objects[static_cast<std::size_t>(o)].synchronises = true;
}

}  // namespace eulash
