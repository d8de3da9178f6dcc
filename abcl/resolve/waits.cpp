#include "abcl/resolve/waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abcl {

namespace {

// The sends of an expression that have the box as an element of their message.
void find_sends_of(const expression& e, const variable& box, std::vector<const tree::send*>& found) {
  if (const auto* const sent = try_as<tree::send>(e); sent != nullptr && sent->selector != nullptr) {
    const bool has_it = std::any_of(sent->elements.begin(), sent->elements.end(), [&](const expression_ptr& element) {
      return element->what == op::destination && as<tree::name>(*element).var == &box;
    });
    if (has_it) found.push_back(sent);
  }
  e.each_part([&](const expression& part) { find_sends_of(part, box, found); });
}

}  // namespace

std::string awaited_reply(const tree::send& now) { return "a reply to " + spelled(now.selector); }

std::string awaited_in_box(const tree::sync& of, const variable& box) {
  std::vector<const tree::send*> sends;
  for (const expression_ptr& e : of.body) find_sends_of(*e, box, sends);
  const bool is_known = sends.size() == 1 && box.uses.size() == 1;
  return fmt::format("a reply{} in {}", is_known ? " to " + spelled(sends.front()->selector) : "", box.name);
}

std::string awaited_value(const tree::unary& of) {
  const auto* const future = try_as<tree::name>(*of.operand);
  return future != nullptr ? fmt::format("a value of the future {}", future->var->name) : "a value of a future";
}

std::string awaited_messages(const std::vector<clause>& of) {
  std::string all;
  std::vector<const type*> told;
  for (const clause& each : of) {
    if (std::find(told.begin(), told.end(), each.takes) != told.end()) continue;
    told.push_back(each.takes);
    const bool always =
        std::any_of(of.begin(), of.end(), [&](const clause& c) { return c.takes == each.takes && c.takes_all(); });
    all += fmt::format("{} {}{}", all.empty() ? "a message" : " or", spelled(each.takes), always ? "" : " if it fits");
  }
  return all;
}

}  // namespace abcl
