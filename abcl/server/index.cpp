#include "abcl/server/index.hpp"

#include <algorithm>

#include "abcl/check/analysis.hpp"

namespace abcl {
namespace {

// Behind what has been told of types: what the names in it stand for.
std::string meanings(const std::vector<const type*>& types) {
  std::string text;
  std::vector<const type*> told;
  const auto tell = [&](const type* t, const auto& again) -> void {
    for (const type* named : named_in(t)) {
      if (std::find(told.begin(), told.end(), named) != told.end()) continue;
      told.push_back(named);
      text += "\n; " + std::string(named->alias) + " is " + written_out(named);
      for (const type* part : named->parts) again(part, again);
    }
  };
  for (const type* t : types) tell(t, tell);
  return text;
}

std::string signature(const function_def& f) {
  std::string text = "(function (" + std::string(f.name);
  std::vector<const type*> types = {f.result};
  for (const variable* a : f.arguments) {
    text += " (" + shown(a->of) + ' ' + std::string(a->name) + ')';
    types.push_back(a->of);
  }
  return text + ") " + shown(f.result) + (f.cpp.empty() ? "" : " \"" + f.cpp.substr(2) + '"') + ')' + meanings(types);
}

std::string signature(const class_def& c) {
  std::string text = "[class " + std::string(c.name) + ' ' + shown(c.interface) + " (";
  std::vector<const type*> types = {c.interface};
  for (const variable* a : c.arguments) {
    text += (text.ends_with('(') ? "(" : " (") + shown(a->of) + ' ' + std::string(a->name) + ')';
    types.push_back(a->of);
  }
  return text + ')' + (c.cpp.empty() ? "" : " \"" + c.cpp.substr(2) + '"') + ']' + meanings(types);
}

const char* kind_of(const variable& v) {
  switch (v.what) {
    case variable::kind::creation_argument:
      return "creation argument";
    case variable::kind::state:
      return "state";
    case variable::kind::argument:
      return "argument";
    case variable::kind::local:
      return "variable";
    case variable::kind::counter:
      return "counted by the loop";
    case variable::kind::pattern:
      return "of the message";
    case variable::kind::box:
      return "reply box";
  }
  return "";
}

}  // namespace

std::string index::told(const type* t) { return shown(t) + meanings({t}); }

index::index(const program& p) : of_(p) {
  for (const variable& v : p.variables) {
    if (v.name.empty() || v.of == nullptr || v.where == span()) continue;
    std::vector<span> used = v.uses;
    used.insert(used.end(), v.changes.begin(), v.changes.end());
    symbols_.push_back({std::string(v.name),
                        shown(v.of) + " " + std::string(v.name) + "  ; " + kind_of(v) + meanings({v.of}), v.where,
                        std::move(used), true});
  }
  for (const function_def& f : p.functions)
    symbols_.push_back({std::string(f.name), signature(f), f.name_where, f.uses, true});
  for (const type_alias& a : p.aliases) {
    symbols_.push_back({std::string(a.name),
                        "(type " + std::string(a.name) + ' ' + written_out(a.of) + ')' + meanings(a.of->parts),
                        a.name_where, a.uses, true});
  }
  for (const class_def& c : p.classes) {
    symbols_.push_back({std::string(c.name), signature(c), c.name_where, c.uses, true});
    add_messages(c);
  }
}

void index::add_messages(const class_def& c) {
  for (const auto& [message, where] : c.messages) {
    if (message->name.empty()) continue;
    const auto tag = static_cast<std::uint32_t>(message->name.size());
    symbol s{std::string(message->name),
             std::string(c.name) + " understands " + written_out(message),
             {where.begin + 1, where.begin + 1 + tag},
             {},
             false};
    walk(of_, [&, taken = message](const expression& e) {
      const auto* const send = try_as<tree::send>(e);
      if (send != nullptr && send->selector == taken && send->target->of == c.of && send->tag != span())
        s.used.push_back(send->tag);
      return true;
    });
    walk(c, [&, taken = message](const expression& e) {
      const auto* const cases = try_as<tree::cases>(e);
      if (cases == nullptr || !cases->take_messages()) return true;
      for (const clause& each : cases->clauses) {
        if (each.takes == taken && each.tag != span()) s.used.push_back(each.tag);
      }
      return true;
    });
    symbols_.push_back(std::move(s));
  }
}

const symbol* index::at(std::uint32_t offset) const {
  const auto holds = [&](span s) { return s.begin <= offset && offset <= s.end && s != span(); };
  for (const symbol& s : symbols_) {
    if (holds(s.defined) || std::any_of(s.used.begin(), s.used.end(), holds)) return &s;
  }
  return nullptr;
}

const library_function* index::library_at(std::uint32_t offset) const {
  const library_function* found = nullptr;
  walk(of_, [&](const expression& e) {
    if (!e.where.contains(offset)) return false;
    // The name stands behind the bracket.
    const auto* const call = try_as<tree::library_call>(e);
    if (call != nullptr && offset <= e.where.begin + 1 + call->function->name.size()) found = call->function;
    return true;
  });
  return found;
}

const type* index::type_at(std::uint32_t offset) const {
  const type* found = nullptr;
  walk(of_, [&](const expression& e) {
    if (!e.where.contains(offset)) return false;
    if (e.of != nullptr && !e.of->is_error()) found = e.of;
    return true;
  });
  return found;
}

}  // namespace abcl
