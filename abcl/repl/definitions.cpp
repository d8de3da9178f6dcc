#include "abcl/repl/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace abcl::repl {
namespace {

using known_name = std::pair<bool, std::string_view>;

// Calls `each` with all symbols in `f`, and whether they are the first in round brackets, where functions stand.
void walk_symbols(auto& f, bool is_head, const auto& each) {
  if (f.is(form::kind::symbol)) each(f, is_head);
  for (std::size_t i = 0; i < f.parts.size(); ++i) walk_symbols(f.parts[i], i == 0 && f.is(form::kind::round), each);
}

bool names_any(const form& f, const std::set<known_name>& names) {
  bool found = false;
  walk_symbols(f, false, [&](const form& s, bool is_head) {
    found |= names.contains({true, s.word}) || (is_head && names.contains({false, s.word}));
  });
  return found;
}

void rename(form& f, const std::map<known_name, std::string_view>& to) {
  walk_symbols(f, false, [&](form& s, bool is_head) {
    auto found = to.find({true, s.word});
    if (found == to.end() && is_head) found = to.find({false, s.word});
    if (found != to.end()) s.word = found->second;
  });
}

// Functions have names of their own.
bool names_type(const definition& d) { return d.is_class || d.is_alias; }

bool equal(const form& a, const form& b) {
  return a.what == b.what && a.word == b.word &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), equal);
}

// (obj ...) of a class; null if it has none.
const form* interface_of(const definition& d) {
  return d.is_class && d.what.parts.size() > 2 && d.what.parts[2].is_form("obj") ? &d.what.parts[2] : nullptr;
}

}  // namespace

std::string_view kept_word(std::string word) {
  static std::set<std::string, std::less<>> all;
  return *all.insert(std::move(word)).first;
}

bool is_definition(const form& f) {
  return (f.is(form::kind::square) && f.begins_with("class")) || f.is_form("function") || f.is_form("foreign") ||
         f.is_form("type");
}

bool defines_class(const form& f) { return f.begins_with("class"); }

bool defines_type(const form& f) { return defines_class(f) || f.is_form("type"); }

std::string_view defined_name(const form& f) {
  if (f.parts.size() < 2) return {};
  if (defines_type(f)) return f.parts[1].word;
  return f.parts[1].parts.empty() ? std::string_view() : f.parts[1].parts[0].word;
}

definition* definitions::find(std::string_view name, bool is_class) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const definition& d) {
    return d.is_class == is_class && !d.is_alias && d.name == name && !d.is_earlier;
  });
  return found == all_.end() ? nullptr : &*found;
}

const definition* definitions::find_name(const known_name& name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const definition& d) {
    return known_name(names_type(d), d.name) == name && !d.is_earlier;
  });
  return found == all_.end() ? nullptr : &*found;
}

void definitions::add(const std::vector<addition>& more, const std::vector<form*>& types) {
  // What changes, and then what depends on that.
  std::set<known_name> changed;
  std::vector<const addition*> fresh;
  for (const addition& a : more) {
    const std::string_view name = defined_name(*a.what);
    const definition* const old = find_name({defines_type(*a.what), name});
    if (old != nullptr && old->text == a.text) continue;
    changed.insert({defines_type(*a.what), name});
    fresh.push_back(&a);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const definition& d : all_) {
      if (!d.is_earlier && !changed.contains({names_type(d), d.name}) && names_any(d.what, changed))
        grown |= changed.insert({names_type(d), d.name}).second;
    }
  }
  // The versions that are there get other names, and the names new versions.
  std::map<known_name, std::string_view> earlier;
  std::vector<definition> again;
  for (definition& d : all_) {
    if (d.is_earlier || !changed.contains({names_type(d), d.name})) continue;
    if (earlier.empty()) ++versions_;
    earlier[{names_type(d), d.name}] = kept_word(fmt::format("{} (version {})", d.name, versions_));
    const bool is_replaced = std::any_of(fresh.begin(), fresh.end(), [&](const addition* a) {
      return defines_type(*a->what) == names_type(d) && defined_name(*a->what) == d.name;
    });
    if (!is_replaced) {
      again.push_back(d);
      again.back().number = -1;
    }
    d.is_earlier = true;
    d.name = earlier[{names_type(d), d.name}];
  }
  for (definition& d : all_) {
    if (d.is_earlier) rename(d.what, earlier);
  }
  for (definition& d : again) all_.push_back(std::move(d));
  for (const addition* a : fresh) {
    definition& d = all_.emplace_back();
    d.what = *a->what;
    d.name = defined_name(*a->what);
    d.is_class = defines_class(*a->what);
    d.is_alias = a->what->is_form("type");
    d.text = a->text;
  }
  std::map<known_name, std::string_view> others;
  for (const known_name& name : changed_interfaces(earlier)) others.insert(*earlier.find(name));
  for (form* type : types) rename(*type, others);
}

// Classes whose objects of before may not stand for those of now: what they understand is not the same.
std::set<definitions::known_name> definitions::changed_interfaces(
    const std::map<known_name, std::string_view>& earlier) const {
  std::set<known_name> changed;
  std::map<known_name, const form*> interfaces;
  for (const auto& [name, earlier_name] : earlier) {
    if (!name.first) continue;
    const form* before = nullptr;
    const form* now = nullptr;
    for (const definition& d : all_) {
      if (d.is_class && d.name == earlier_name) before = interface_of(d);
      if (d.is_class && d.name == name.second) now = interface_of(d);
    }
    if (before == nullptr || now == nullptr) {
      changed.insert(name);
      continue;
    }
    form back = *before;
    std::map<known_name, std::string_view> to_now;
    for (const auto& [n, e] : earlier) to_now[{n.first, e}] = n.second;
    rename(back, to_now);
    if (!equal(back, *now)) changed.insert(name);
    interfaces[name] = now;
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [name, interface] : interfaces) {
      if (!changed.contains(name) && names_any(*interface, changed)) grown |= changed.insert(name).second;
    }
  }
  return changed;
}

void definitions::forget(const std::vector<const form*>& types) {
  std::set<known_name> needed;
  const auto need = [&](const form& f) {
    bool grown = false;
    walk_symbols(f, false, [&](const form& s, bool is_head) {
      grown |= needed.insert({true, s.word}).second;
      if (is_head) grown |= needed.insert({false, s.word}).second;
    });
    return grown;
  };
  for (const form* type : types) need(*type);
  for (bool grown = true; grown;) {
    grown = false;
    for (const definition& d : all_) {
      if (d.is_earlier && needed.contains({names_type(d), d.name})) grown |= need(d.what);
    }
  }
  std::erase_if(all_, [&](const definition& d) { return d.is_earlier && !needed.contains({names_type(d), d.name}); });
}

}  // namespace abcl::repl
