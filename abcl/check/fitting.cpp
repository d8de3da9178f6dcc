#include "abcl/check/fitting.hpp"

#include <fmt/format.h>

namespace abcl {

std::string with_article(const type* t) {
  const std::string name = shown(t);
  switch (t->what) {
    case type::kind::nothing:
    case type::kind::nil:
      return name;
    case type::kind::message:
      return t->parts.empty() && t->name.empty() ? "the empty message []" : "a message " + name;
    case type::kind::object:
      return "an object " + name;
    case type::kind::reply:
      return "a reply destination " + name;
    default:
      return (name.find_first_of("AEIO") == 0 || name.starts_with("(a") ? "an " : "a ") + name;
  }
}

const type* joined(const context& at, const type* a, const type* b) {
  if (a == nullptr) return b;
  const type* const both = at.types.join(a, b);
  return both != nullptr ? both : at.types.empty;
}

void say_mismatch(const context& at, const expression& e, const form& f, const type* wanted,
                  const std::string& what_for) {
  if (e.what == op::reply) {
    at.said.error(55, f.where, "a reply has no value", fmt::format("{} has to be {}", what_for, with_article(wanted)));
    return;
  }
  if (e.of->is_error() || wanted->is_error()) return;
  diagnostic& d = at.said.error(40, f.where, fmt::format("{} has to be {}", what_for, with_article(wanted)),
                                fmt::format("this is {}", with_article(e.of)));
  if (e.what == op::integer && wanted->is(type::kind::real)) {
    d.help.push_back(fmt::format("write {}.0", f.word));
  } else if (e.what == op::real && wanted->is(type::kind::integer)) {
    d.help.push_back("an Int is written without a point");
  } else if (e.what == op::choose && e.parts.size() == 2) {
    d.help.push_back("an `if` without an else has no value: (if condition then else)");
  } else if (e.of->is(type::kind::integer) && wanted->is(type::kind::real)) {
    d.help.push_back("(float n) makes a Float of an Int");
  } else if (e.of->is(type::kind::real) && wanted->is(type::kind::integer)) {
    d.help.push_back("(int x) makes an Int of a Float, without its fraction");
  } else if (e.of->is(type::kind::a_class) && wanted->is(type::kind::object)) {
    for (const type* m : wanted->parts) {
      if (!at.types.fits(e.of, at.types.object({m})))
        d.help.push_back(fmt::format("{} does not understand {}", shown(e.of), shown(m)));
    }
  } else if (e.what == op::message && e.parts.size() == 1 && e.of->name.empty() &&
             at.types.fits(e.parts[0]->of, wanted)) {
    d.help.push_back("brackets make a message of it: leave them out");
  } else if (e.what == op::choose && e.parts.size() == 3 && !e.parts[1]->of->is_error() && e.of == at.types.empty) {
    d.help.push_back(
        fmt::format("one branch is {}, the other {}", with_article(e.parts[1]->of), with_article(e.parts[2]->of)));
  } else if (e.what == op::past) {
    d.help.push_back("a past send `<=` has no value; a now send `<==` waits for the reply");
  }
}

void warn_if_ignored(const expression& e, diagnostics& said) {
  switch (e.what) {
    case op::choose:
      for (std::size_t i = 1; i < e.parts.size(); ++i) warn_if_ignored(*e.parts[i], said);
      return;
    case op::sequence:
    case op::atomic:
    case op::let:
      if (!e.parts.empty() && e.parts.back() != nullptr && e.parts.size() > e.vars.size())
        warn_if_ignored(*e.parts.back(), said);
      return;
    case op::match:
    case op::wait_for:
      for (const clause& c : e.clauses) {
        if (!c.body.empty()) warn_if_ignored(*c.body.back(), said);
      }
      return;
    default:
      break;
  }
  const bool computes = e.what == op::compute || e.what == op::use || e.what == op::integer || e.what == op::real ||
                        e.what == op::text || e.what == op::boolean || e.what == op::me || e.what == op::element ||
                        (e.what == op::message && !e.parts.empty()) || e.what == op::length || e.what == op::is_null ||
                        (e.what == op::library && !e.of_library->acts);
  if (!computes || e.of->is_error()) return;
  diagnostic& d = said.warning(105, e.where, "this value is ignored", "computed for nothing");
  if (e.what == op::message && e.parts.size() == 2)
    d.help.push_back("[a b] is a message; [name := value] assigns, [target <= message] sends");
}

}  // namespace abcl
