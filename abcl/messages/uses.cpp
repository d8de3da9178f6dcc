#include "abcl/messages/uses.hpp"

#include <algorithm>

#include "abcl/check/analysis.hpp"

namespace abcl::messages {
namespace {

bool holds_names(const type* t) {
  return t->is(type::kind::reply) ||
         (t->is(type::kind::message) && std::any_of(t->parts.begin(), t->parts.end(), holds_names));
}

void add_uses(const expression& e, uses& to) {
  switch (e.what) {
    case op::future:
    case op::make_future:
      to.future_replies = true;
      break;
    case op::nil:
      to.nil_replies = true;
      break;
    case op::non_resume:
      to.leaves = true;
      break;
    case op::now:
    case op::past: {
      const auto& send = as<tree::send>(e);
      to.express |= send.express;
      to.nil_replies |= send.drops_reply();
      break;
    }
    case op::let:
      for (const auto& [v, first] : as<tree::let>(e).variables)
        to.nil_replies |= first == nullptr && holds_names(v->of);
      break;
    default:
      break;
  }
}

}  // namespace

uses uses_of(const program& p) {
  uses found;
  found.wide = !p.types.replied_to_objects().empty();
  walk(p, [&](const expression& e) {
    add_uses(e, found);
    return true;
  });
  for (const class_def& c : p.classes) {
    for (std::size_t i = 0; i < c.state.size(); ++i)
      found.nil_replies |= c.initial[i] == nullptr && holds_names(c.state[i]->of);
  }
  return found;
}

}  // namespace abcl::messages
