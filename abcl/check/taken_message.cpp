#include "abcl/check/taken_message.hpp"

#include <fmt/format.h>

#include "abcl/check/messages.hpp"

namespace abcl {
namespace {

// The clause was meant for one of these, so that nobody misses it.
void forgive_clause_for(class_body& c, std::string_view tag) {
  for (const type* m : c.of.interface->parts) {
    if (m->name == tag) c.has_clause.push_back(m);
  }
}

void say_other_shape(const context& at, const form& f, const arrow& a, const type* same_tag, std::size_t count) {
  if (a.replies && same_tag->parts.size() == count && !same_tag->wants_reply()) {
    at.said.error(53, f.parts[0].where, fmt::format("{} wants no reply", written_out(same_tag)), "`=>` takes it");
    return;
  }
  diagnostic& d = at.said.error(
      52, f.parts[1].where,
      fmt::format("{} of `{}` has another number of elements", written_out(same_tag), at.in_class->of.name),
      fmt::format("{} here", count));
  if (same_tag->wants_reply() && a.replies)
    d.help.push_back("`==>` does not name the reply destination, which is the last element; `!` replies to it");
}

void say_unknown_message(const context& at, const form& f, std::string_view tag, std::string_view meant) {
  const class_def& c = at.in_class->of;
  diagnostic& d =
      at.said.error(52, f.parts[1].where,
                    tag.empty() ? fmt::format("the interface of `{}` has no such message without a tag", c.name)
                                : fmt::format("the interface of `{}` has no message `{}`", c.name, tag),
                    "nobody can send it");
  d.notes.push_back({c.name_where, "the interface is here"});
  if (!tag.empty() && !meant.empty()) d.help.push_back(fmt::format("did you mean `{}`?", meant));
}

}  // namespace

const type* taken_by(const context& at, const form& f, arrow& a) {
  class_body& c = *at.in_class;
  if (at.types.is_open(c.of.of)) return nullptr;
  const std::string_view tag = tag_of(f.parts[1]);
  const std::size_t count = f.parts[1].parts.size() - (tag.empty() ? 0 : 1);
  const type* same_tag = nullptr;
  const type* open = nullptr;  // wants a reply, whose destination the clause does not name
  for (const type* m : c.of.interface->parts) {
    if (m->name != tag) continue;
    same_tag = m;
    if (!a.replies && m->parts.size() == count) return m;
    if (m->wants_reply() && m->parts.size() == count + 1) open = m;
  }
  if (open != nullptr) {
    if (!a.replies)
      at.said
          .warning(101, f.parts[0].where, "`=>` takes a message that wants a reply, and leaves its destination out",
                   "taken as `==>`")
          .help.push_back("write `==>`, or give the destination a name behind the other elements");
    a.replies = true;
    return open;
  }
  if (same_tag != nullptr) {
    forgive_clause_for(c, tag);
    say_other_shape(at, f, a, same_tag, count);
    return nullptr;
  }
  std::vector<std::string> tags;
  for (const type* m : c.of.interface->parts) {
    if (!m->name.empty()) tags.emplace_back(m->name);
  }
  const std::string meant = nearest(tag, tags);
  forgive_clause_for(c, meant);
  say_unknown_message(at, f, tag, meant);
  return nullptr;
}

}  // namespace abcl
