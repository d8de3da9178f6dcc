#include "abcl/check/not_understood.hpp"

#include <fmt/format.h>

namespace abcl {
namespace {

std::string in_words(std::size_t count) { return count == 1 ? "1 element" : fmt::format("{} elements", count); }

void say_other_count(const context& at, const sent_message& sent, const type* target, const type* same_tag) {
  const std::size_t wanted = same_tag->parts.size() - (same_tag->wants_reply() ? 1 : 0);
  const std::string object = shown(target);
  diagnostic& d = at.said.error(42, sent.written.where,
                                sent.tag.empty() ? fmt::format("the message to {} has {}", object, in_words(wanted))
                                                 : fmt::format("`{}` to {} has {}", sent.tag, object, in_words(wanted)),
                                fmt::format("{} given", in_words(sent.count)));
  help_with_interface(at, d, target);
}

void say_unknown_tag(const context& at, const sent_message& sent, const type* target,
                     const std::vector<std::string>& tags) {
  const std::string object = shown(target);
  if (sent.tag.empty()) {
    diagnostic& d = at.said.error(41, sent.written.where,
                                  fmt::format("{} does not understand messages without a tag", object), "no tag");
    help_with_interface(at, d, target);
    return;
  }
  const span where = sent.written.parts.empty() ? sent.written.where : sent.written.parts[0].where;
  diagnostic& d = at.said.error(41, where, fmt::format("{} does not understand `{}`", object, sent.tag),
                                "no message with this tag");
  help_with_interface(at, d, target);
  if (const std::string meant = nearest(sent.tag, tags); !meant.empty())
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
}

}  // namespace

void help_with_interface(const context& at, diagnostic& d, const type* t) {
  constexpr std::size_t most = 8;
  const std::vector<const type*> all = at.types.messages_of(t);
  if (all.empty()) {
    d.help.push_back(fmt::format("{} understands no messages", shown(t)));
    return;
  }
  std::string list;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) list += (i > 0 ? ", " : "") + written_out(all[i]);
  if (all.size() > most) list += fmt::format(" and {} more", all.size() - most);
  d.help.push_back(fmt::format("{} understands {}", shown(t), list));
}

void say_not_understood(const context& at, const sent_message& sent, const type* target, op how) {
  std::vector<std::string> tags;
  const type* same_tag = nullptr;
  const type* without_reply = nullptr;
  for (const type* m : at.types.messages_of(target)) {
    if (!m->name.empty()) tags.emplace_back(m->name);
    if (m->name != sent.tag) continue;
    same_tag = m;
    if (m->parts.size() == sent.count && !m->wants_reply()) without_reply = m;
  }
  if (how != op::past && without_reply != nullptr) {
    at.said
        .error(43, sent.written.where,
               fmt::format("{} does not reply to {}", shown(target), written_out(without_reply)), "nothing would come")
        .help.push_back("a past send `<=` does not wait");
  } else if (same_tag != nullptr) {
    say_other_count(at, sent, target, same_tag);
  } else {
    say_unknown_tag(at, sent, target, tags);
  }
}

}  // namespace abcl
