#include "abcl/check/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abcl/check/expressions.hpp"

namespace abcl {

std::string_view tag_of(const form& message) {
  return !message.parts.empty() && message.parts[0].is(form::kind::tag) ? message.parts[0].word : std::string_view();
}

bool is_literal_message(const form& f) {
  static constexpr std::array<std::string_view, 5> of_others = {"<=", "<==", "<<=", "<<==", ":="};
  if (!f.is(form::kind::square)) return false;
  if (f.parts.size() < 2 || !f.parts[1].is(form::kind::symbol)) return true;
  return std::find(of_others.begin(), of_others.end(), f.parts[1].word) == of_others.end();
}

expression_ptr message(const context& at, const form& f, const type* wanted) {
  const std::string_view tag = tag_of(f);
  const std::size_t first = tag.empty() ? 0 : 1;
  const bool known = wanted != nullptr && wanted->is(type::kind::message) && wanted->name == tag &&
                     wanted->parts.size() == f.parts.size() - first;
  auto e = made<tree::message>(op::message, f, at.types.unknown);
  std::vector<const type*> of;
  bool good = true;
  for (std::size_t i = first; i < f.parts.size(); ++i) {
    if (f.parts[i].is_symbol("$")) {
      at.said.error(18, f.parts[i].where, "`$` belongs to a past send", "[target <= message $ future]");
      return wrong(at, f);
    }
    e->elements.push_back(value(at, f.parts[i], known ? wanted->parts[i - first] : nullptr));
    const type* const part = e->elements.back()->of;
    good &= !part->is_error();
    if (part->is(type::kind::nothing)) {
      at.said.error(55, f.parts[i].where, "this has no value to put into a message", "no value");
      good = false;
    }
    of.push_back(part);
  }
  if (good) e->of = at.types.message(tag, std::move(of));
  return e;
}

}  // namespace abcl
