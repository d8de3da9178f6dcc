#include "eulash/analysis/sharing.hpp"

#include <fmt/format.h>

namespace eulash {

shared_objects::shared_objects(const facts& f) : f_(f), uses_(f.objects.size()) {
  find_functions_of_threads();
  find_escaped();
  find_uses();
  for (object o = 0; o != static_cast<object>(f.objects.size()); ++o) verdicts_.push_back(judge(o));
}

void shared_objects::find_functions_of_threads() {
  std::vector<int> todo(f_.thread_functions.begin(), f_.thread_functions.end());
  while (!todo.empty()) {
    const int function = todo.back();
    todo.pop_back();
    if (!of_threads_.insert(function).second) continue;
    for (const int callee : f_.functions[static_cast<std::size_t>(function)].callees) todo.push_back(callee);
  }
}

void shared_objects::find_escaped() {
  std::vector<object> todo;
  const auto add = [&](value v) {
    for (const object o : f_.values.objects(v)) todo.push_back(o);
  };
  for (object o = 0; o != static_cast<object>(f_.objects.size()); ++o)
    if (f_.objects[static_cast<std::size_t>(o)].kind == object_kind::variable) todo.push_back(o);
  for (const value v : f_.passed_to_threads) add(v);
  add(f_.returned_by_threads);
  todo.push_back(f_.unknown);
  std::vector<object> outside;
  const auto add_outside = [&](value v) {
    add(v);
    outside.insert(outside.end(), f_.values.objects(v).begin(), f_.values.objects(v).end());
  };
  for (const value v : f_.told_outside) add_outside(v);
  for (const outside_call& call : f_.outside_calls) {
    if (call.callee < 0 || f_.functions[static_cast<std::size_t>(call.callee)].defined) continue;
    for (const value v : call.arguments) add_outside(v);
  }
  while (!outside.empty()) {
    const object o = outside.back();
    outside.pop_back();
    const std::set<object>& behind = f_.values.objects(f_.values.held_by(o));
    if (known_outside_.insert(o).second) outside.insert(outside.end(), behind.begin(), behind.end());
  }
  while (!todo.empty()) {
    const object o = todo.back();
    todo.pop_back();
    if (escaped_.insert(o).second) add(f_.values.held_by(o));
  }
}

void shared_objects::find_uses() {
  for (const access_facts& a : f_.accesses) {
    const auto note = [&](object o) {
      use& u = uses_[static_cast<std::size_t>(o)];
      const access_facts*& first = executed_by_threads(a.function) ? u.by_thread : u.by_first;
      if (first == nullptr) first = &a;
      if (a.writes && u.write == nullptr) u.write = &a;
    };
    if (a.direct >= 0) note(a.direct);
    for (const object o : f_.values.objects(a.pointer)) note(o);
  }
}

std::string shared_objects::told(const access_facts* a) const {
  return fmt::format("{} in {} (line {})", a->writes ? "written" : "read",
                     f_.functions[static_cast<std::size_t>(a->function)].name, a->at.line);
}

verdict shared_objects::judge(object o) const {
  const object_facts& known = f_.objects[static_cast<std::size_t>(o)];
  const use& u = uses_[static_cast<std::size_t>(o)];
  if (known.kind == object_kind::constant || known.kind == object_kind::function)
    return {sharing::read_only, "it is the same in each process"};
  if (known.kind == object_kind::unknown) return {sharing::unknown, "nobody knows where it is"};
  if (known.kind == object_kind::arguments) return {sharing::several, "threads may read what main was given"};
  if (known_outside_.contains(o)) return {sharing::unknown, "what is no part of the program is told where it is"};
  if (known.synchronises && (escaped_.contains(o) || known.kind == object_kind::heap))
    return {sharing::several, "threads synchronise by it"};
  if (known.kind == object_kind::variable) return judge_variable(o);
  if (!escaped_.contains(o)) return {sharing::of_thread, "no other thread is told where it is"};
  // Whose stack it is on, or who allocates it, uses it.
  const bool of_threads = known.function >= 0 && executed_by_threads(known.function);
  if (u.by_thread == nullptr && !of_threads) return {sharing::one_process, "only the first thread uses it"};
  if (u.by_thread == nullptr)
    return {sharing::several, fmt::format("it is made in {}, which threads execute",
                                          f_.functions[static_cast<std::size_t>(known.function)].name)};
  if (u.by_first != nullptr)
    return {sharing::several, fmt::format("{} by the first thread, {} by others", told(u.by_first), told(u.by_thread))};
  return {sharing::several, fmt::format("{}, which several threads execute", told(u.by_thread))};
}

verdict shared_objects::judge_variable(object o) const {
  const object_facts& known = f_.objects[static_cast<std::size_t>(o)];
  const use& u = uses_[static_cast<std::size_t>(o)];
  if (u.write == nullptr && !known.has_first_value_of_addresses)
    return {sharing::read_only, "nobody writes to it after its first value"};
  if (u.by_thread == nullptr && u.by_first == nullptr) return {sharing::one_process, "nobody uses it"};
  if (u.by_thread == nullptr && !known.has_first_value_of_addresses)
    return {sharing::one_process, fmt::format("only the first thread uses it: {}", told(u.by_first))};
  if (u.write == nullptr) return {sharing::several, "its first value has addresses of other data"};
  if (u.by_thread == nullptr) return {sharing::several, "its first value has addresses of other data"};
  if (u.by_first != nullptr)
    return {sharing::several, fmt::format("{} by the first thread, {} by others", told(u.by_first), told(u.by_thread))};
  return {sharing::several, fmt::format("{}, which several threads execute", told(u.by_thread))};
}

bool shared_objects::leads_to_private(value pointer) const {
  const std::set<object>& all = f_.values.objects(pointer);
  for (const object o : all)
    if (!of(o).is_private()) return false;
  return !all.empty();
}

}  // namespace eulash
