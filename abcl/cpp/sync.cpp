#include "abcl/cpp/sync.hpp"

#include <fmt/format.h>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/sends.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/values.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::cpp {

namespace {

// [target <= [... (@ r)]], where the class is known and this is all that happens to r.
bool is_question_to_box(const tree::send& e, const variable& box) {
  if (e.what != op::past || e.express || e.elements.empty() || box.uses.size() != 1) return false;
  const expression& last = *e.elements.back();
  return last.what == op::destination && as<tree::name>(last).var == &box && !e.target->of->is(type::kind::reply);
}

// Evaluated before another message leaves, which changes nothing.
bool may_come_first(const tree::send& e) {
  bool all = true;
  e.each_part([&](const expression& part) {
    if (const auto* const made = try_as<tree::create>(part)) {
      made->each_part([&](const expression& p) { all &= !has_effects(p); });
    } else {
      all &= part.what == op::destination || !has_effects(part);
    }
  });
  return all;
}

// Two questions at a time.
bool both(function_scope& in, const tree::sync& e, std::vector<cpp_value>& into) {
  const bool second_is_now = e.what == op::sync2;
  const std::size_t boxes = second_is_now ? 1 : 2;
  if (e.boxes.size() != boxes || e.body.size() != boxes || (e.last != nullptr) != second_is_now) return false;
  const auto* const first = try_as<tree::send>(*e.body[0]);
  const auto* const second = try_as<tree::send>(second_is_now ? *e.last : *e.body[1]);
  if (first == nullptr || second == nullptr || !is_question_to_box(*first, *e.boxes[0])) return false;
  const bool second_fits = second_is_now ? second->what == op::now && second->whole == nullptr && !second->express
                                         : is_question_to_box(*second, *e.boxes[1]);
  if (!second_fits || !may_come_first(*second)) return false;
  for (const tree::send* s : {first, second}) {
    const method* const m = in.plan.taken_by(*s);
    if (m == nullptr || m->named_destination || !m->answers() || !has_value(m->as->answer)) return false;
    if (s->what == op::past && s->elements.size() != m->as->elements.size() + 1) return false;
  }
  std::vector<std::string> asked;
  for (const tree::send* s : {first, second}) {
    asked.push_back(direct_question(in, *s, s->elements.size() - (s->what == op::past ? 1 : 0)));
  }
  in.at(e);
  const std::string name = in.names.numbered("both");
  const std::string indent = in.text.indentation() + "    ";
  const std::string first_at = in.site(e.where, awaited_in_box(e, *e.boxes[0]));
  const std::string second_at =
      second_is_now ? in.site(second->where, awaited_reply(*second)) : in.site(e.where, awaited_in_box(e, *e.boxes[1]));
  in.waiting_line(fmt::format("const auto {} = co_await abcl::both<{}, {}, {}>({},\n{}{});", name, first_at, second_at,
                              second_is_now, asked[0], indent, asked[1]));
  into = {constant(name + ".first", false), constant(name + ".second", false)};
  return true;
}

void declare_box(function_scope& in, const tree::sync& e, const variable& box) {
  in.line(fmt::format("abcl::box<{}> {}({});", cpp_type(box.of), in.names.name_of(box),
                      in.site(e.where, awaited_in_box(e, box))));
}

}  // namespace

cpp_value sync(function_scope& in, const tree::sync& e) {
  const variable& box = *e.boxes[0];
  declare_box(in, e, box);
  statements(in, e.body);
  in.at(e);
  if (!has_value(box.of)) {
    in.waiting_line(fmt::format("co_await {};", in.names.name_of(box)));
    return "abcl::none()";
  }
  return in.kept_awaited(in.names.name_of(box) + "-value", cpp_type(box.of), in.names.name_of(box));
}

std::vector<cpp_value> sync_values(function_scope& in, const tree::sync& e) {
  std::vector<cpp_value> all;
  if (both(in, e, all)) return all;
  for (const variable* box : e.boxes) declare_box(in, e, *box);
  statements(in, e.body);
  cpp_value more = "";
  if (e.last != nullptr) {
    more = value(in, *e.last);
    if (!more.is_constant && !is_constant(*e.last) && has_value(e.last->of))
      more = in.kept("value", cpp_type(e.last->of), more);
  }
  in.at(e);
  for (const variable* box : e.boxes)
    all.push_back(in.kept_awaited(in.names.name_of(*box) + "-value", cpp_type(box->of), in.names.name_of(*box)));
  if (e.last != nullptr) all.push_back(more);
  return all;
}

}  // namespace abcl::cpp
