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

namespace {

// Whether nothing is chosen where no condition holds, of an `if` or a `cond`.
bool has_no_else(const tree::choose& e) {
  const auto* rest = &e;
  while (rest->no != nullptr && rest->no->what == op::choose && rest->no->where.end == e.where.end)
    rest = &as<tree::choose>(*rest->no);
  return rest->no == nullptr;
}

}  // namespace

std::string different_branches(const context& at, const expression& e) {
  const auto* const choice = try_as<tree::choose>(e);
  if (choice == nullptr || choice->no == nullptr || e.of != at.types.empty) return {};
  const type* const yes = choice->yes->of;
  const type* const no = choice->no->of;
  if (yes->is_error() || (yes == at.types.empty && no == at.types.empty)) return {};
  // The branches that differ may be behind the first one of a `cond`.
  const std::string further = no == at.types.empty ? different_branches(at, *choice->no) : "";
  if (!further.empty()) return further;
  return fmt::format("one branch is {}, the other {}", with_article(yes), with_article(no));
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
  const auto* const choice = try_as<tree::choose>(e);
  const auto* const message = try_as<tree::message>(e);
  if (e.what == op::integer && wanted->is(type::kind::real)) {
    d.help.push_back(fmt::format("write {}.0", f.word));
  } else if (e.what == op::real && wanted->is(type::kind::integer)) {
    d.help.push_back("an Int is written without a point");
  } else if (choice != nullptr && has_no_else(*choice)) {
    d.help.push_back(f.is_form("cond")
                         ? "a `cond` without an else has no value: (cond (condition form ...) ... (else form ...))"
                         : "an `if` without an else has no value: (if condition then else)");
  } else if (e.of->is(type::kind::integer) && wanted->is(type::kind::real)) {
    d.help.push_back("(float n) makes a Float of an Int");
  } else if (e.of->is(type::kind::real) && wanted->is(type::kind::integer)) {
    d.help.push_back("(int x) makes an Int of a Float, without its fraction");
  } else if (e.of->is(type::kind::array) && wanted->is(type::kind::text)) {
    d.help.push_back("(aref array index) is one of its elements, (subarray array from to) a part of it");
  } else if (e.of->is(type::kind::a_class) && wanted->is(type::kind::object)) {
    for (const type* m : wanted->parts) {
      if (!at.types.fits(e.of, at.types.object({m})))
        d.help.push_back(fmt::format("{} does not understand {}", shown(e.of), written_out(m)));
    }
  } else if (message != nullptr && message->elements.size() == 1 && e.of->name.empty() &&
             at.types.fits(message->elements[0]->of, wanted)) {
    d.help.push_back("brackets make a message of it: leave them out");
  } else if (const std::string branches = different_branches(at, e); !branches.empty()) {
    d.help.push_back(branches);
  } else if (e.what == op::past) {
    d.help.push_back("a past send `<=` has no value; a now send `<==` waits for the reply");
  }
}

namespace {

// Whether it does nothing but find a value.
bool only_computes(const expression& e) {
  switch (e.what) {
    case op::compute:
    case op::use:
    case op::integer:
    case op::real:
    case op::text:
    case op::boolean:
    case op::me:
    case op::element:
    case op::subarray:
    case op::length:
    case op::is_null:
      return true;
    case op::message:
      return !as<tree::message>(e).elements.empty();
    case op::library:
      return !as<tree::library_call>(e).function->acts;
    default:
      return false;
  }
}

}  // namespace

void warn_if_ignored(const expression& e, diagnostics& said) {
  const auto last_of = [&](const expressions& body) {
    if (!body.empty()) warn_if_ignored(*body.back(), said);
  };
  if (const auto* const choice = try_as<tree::choose>(e)) {
    warn_if_ignored(*choice->yes, said);
    if (choice->no != nullptr) warn_if_ignored(*choice->no, said);
  } else if (const auto* const block = try_as<tree::block>(e)) {
    last_of(block->body);
  } else if (const auto* const let = try_as<tree::let>(e)) {
    last_of(let->body);
  } else if (const auto* const cases = try_as<tree::cases>(e); cases != nullptr && e.what != op::script) {
    for (const clause& c : cases->clauses) last_of(c.body);
  }
  if (!only_computes(e) || e.of->is_error()) return;
  diagnostic& d = said.warning(105, e.where, "this value is ignored", "computed for nothing");
  if (e.what == op::message && as<tree::message>(e).elements.size() == 2)
    d.help.push_back("[a b] is a message; [name := value] assigns, [target <= message] sends");
}

}  // namespace abcl
