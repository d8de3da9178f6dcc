#include "abcl/cpp/entries.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/types.hpp"

namespace abcl::cpp {
namespace {

std::string answer_type(const type* t) { return has_value(t) ? cpp_type(t) : "void"; }

std::string result(const method& m, const entry& e) {
  const std::string of = m.returns && !e.to ? answer_type(m.as->answer) : "void";
  return is_coroutine(m, e) ? fmt::format("tsubu::task<{}>", of) : of;
}

std::string common(plan& of, const method& m, std::string_view scope, const std::vector<std::string>& names) {
  std::string list = asker_type(of, m) + " asker_1";
  for (std::size_t i = 0; i < names.size(); ++i) append(list, cpp_type(m.as->elements[i]) + ' ' + names[i]);
  return fmt::format("{} {}do_{}({})", m.waits ? "tsubu::task<void>" : "void", scope, m.name, list);
}

}  // namespace

std::vector<entry> entries(const method& m) {
  std::vector<entry> all;
  if (m.answers() && !m.named_destination) all.push_back({m.name, m.keeps(), false, false, pointer(m, false, false)});
  if (m.answers() && (m.to || m.named_destination))
    all.push_back({m.name_to, false, true, m.by_interface(), pointer(m, true, false)});
  if (!m.answers()) all.push_back({m.name, false, false, m.by_interface(), pointer(m, false, false)});
  for (std::size_t i = 0, n = all.size(); i < n; ++i) {
    if (!all[i].interface) continue;
    entry by_interface = all[i];
    by_interface.pointer = pointer(*m.as, m.express);
    all.push_back(by_interface);
  }
  return all;
}

std::vector<entry> functions_of(const method& m) {
  std::vector<entry> own;
  for (const entry& e : entries(m)) {
    if (std::none_of(own.begin(), own.end(), [&](const entry& o) { return o.name == e.name; })) own.push_back(e);
  }
  return own;
}

bool has_common(const method& m) { return !m.returns && functions_of(m).size() > 1; }

entry sending_on(const method& m) { return {m.as->interface_method(true), false, m.answers(), true, {}}; }

std::string pointer(const method& m, bool to, bool once) {
  return fmt::format("&{}::{}{}", m.of->name, to ? m.name_to : m.name, m.once ? once ? "<true>" : "<false>" : "");
}

std::string pointer(const selector& s, bool express) {
  return fmt::format("&{}::{}", s.interface(express), s.interface_method(express));
}

bool is_coroutine(const method& m, const entry& e) { return m.waits || (e.interface && m.as->interface_waits); }

std::string asker_type(plan& of, const method& m) {
  const selector* const s = of.interface_of_reply(m.as->answer);
  if (s == nullptr) return fmt::format("abcl::asker<{}>", answer_type(m.as->answer));
  return fmt::format("abcl::asker<{}, {}>", answer_type(m.as->answer), pointer(*s, false));
}

std::vector<std::string> argument_names(name_scope& names, const method& m) {
  // Those of the first clause, where it has some.
  std::vector<std::string> all;
  for (std::size_t i = 0; i < m.as->elements.size(); ++i) {
    const variable* const v =
        !m.clauses.empty() && i < m.clauses[0]->pattern.size() ? m.clauses[0]->pattern[i].bound : nullptr;
    all.push_back(names.fresh(v != nullptr ? std::string(v->name) : "element-" + std::to_string(i + 1)));
  }
  return all;
}

std::string arguments_of(const method& m, const entry& e, const std::vector<std::string>& names) {
  std::string list;
  if (e.keeps) append(list, fmt::format("tsubu::reply_to<{}> from_1", answer_type(m.as->answer)));
  for (std::size_t i = 0; i < names.size(); ++i) append(list, cpp_type(m.as->elements[i]) + ' ' + names[i]);
  if (e.to) append(list, "abcl::destination destination_1");
  return list;
}

std::string head(const method& m, const entry& e, const std::vector<std::string>& names) {
  return fmt::format("{}{} {}::{}({}) {{", m.once ? "template <bool Once>\n" : "inline ", result(m, e), m.of->name,
                     e.name, arguments_of(m, e, names));
}

std::string declaration(const method& m, const entry& e, const std::vector<std::string>& names) {
  return fmt::format("{}{} {}({}){};", m.once ? "template <bool Once>\n  " : "", result(m, e), e.name,
                     arguments_of(m, e, names), e.interface ? " override" : "");
}

std::string common_head(plan& of, const method& m, const std::vector<std::string>& names) {
  return fmt::format("inline {} {{", common(of, m, m.of->name + "::", names));
}

std::string common_declaration(plan& of, const method& m, const std::vector<std::string>& names) {
  return common(of, m, "", names) + ';';
}

std::string taken_type(plan& of, const method& m) {
  std::string types = m.answers() && !m.named_destination ? asker_type(of, m) : "abcl::asker<void>";
  for (const type* t : m.as->elements) append(types, cpp_type(t));
  if (m.named_destination) append(types, "abcl::destination");
  return fmt::format("abcl::taken<{}>", types);
}

std::string taken_name(const method& m) { return m.name + "_taken_"; }

}  // namespace abcl::cpp
