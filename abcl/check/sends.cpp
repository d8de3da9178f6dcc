#include "abcl/check/sends.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/expressions.hpp"
#include "abcl/check/messages.hpp"
#include "abcl/check/not_understood.hpp"

namespace abcl {
namespace {

void send_to_reply(const context& at, const form& f, tree::send& e) {
  if (e.what != op::past) {
    at.said.error(43, f.where, "a reply destination does not reply", "a past send `<=` is expected");
    value(at, f.parts[2], at.types.unknown);
    return;
  }
  e.whole = value_as(at, f.parts[2], e.target->of->of(), "the reply");
}

// The messages that `target` understands with this tag and so many elements. Those come first that want no reply, since
// they take what was given completely.
std::vector<const type*> candidates(const context& at, const type* target, const sent_message& sent, bool wants_reply) {
  std::vector<const type*> all;
  for (const type* m : at.types.messages_of(target)) {
    if (m->name != sent.tag) continue;
    const bool complete = !wants_reply && m->parts.size() == sent.count;
    const bool open = m->wants_reply() && m->parts.size() == sent.count + 1;
    if (complete || open) all.push_back(m);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const type* a, const type* b) { return a->parts.size() < b->parts.size(); });
  return all;
}

// What element `i`, which is `f`, is expected to be, if any of `fitting` may be meant; null: one cannot say.
const type* expected_by(const std::vector<const type*>& fitting, std::size_t i, const form& f) {
  const type* const one = fitting.front()->parts[i];
  const bool agreed = std::all_of(fitting.begin(), fitting.end(), [&](const type* m) { return m->parts[i] == one; });
  if (agreed) return one;
  if (!f.is_form("@")) return nullptr;
  // A reply box goes where a destination is taken.
  const auto takes_destination = [&](const type* m) { return m->parts[i]->is(type::kind::reply); };
  const auto found = std::find_if(fitting.begin(), fitting.end(), takes_destination);
  return found == fitting.end() ? nullptr : (*found)->parts[i];
}

// Reads the elements, and finds by their types which of `fitting` is meant. Null, and an error has been said: none.
const type* chosen_by_elements(const context& at, const sent_message& sent, const std::vector<const type*>& fitting,
                               tree::send& e) {
  const std::size_t first = sent.tag.empty() ? 0 : 1;
  for (std::size_t i = 0; i < sent.count; ++i) {
    const form& element = sent.written.parts[first + i];
    e.elements.push_back(value(at, element, expected_by(fitting, i, element)));
  }
  const auto takes = [&](const type* m) {
    for (std::size_t i = 0; i < sent.count; ++i) {
      if (!at.types.fits(e.elements[i]->of, m->parts[i])) return false;
    }
    return true;
  };
  const auto found = std::find_if(fitting.begin(), fitting.end(), takes);
  if (found != fitting.end()) return *found;
  std::string given = "[" + std::string(sent.tag);
  for (std::size_t i = 0; i < sent.count; ++i) given += (given.size() > 1 ? " " : "") + shown(e.elements[i]->of);
  diagnostic& d = at.said.error(
      40, sent.written.where, fmt::format("{} does not understand {}]", shown(e.target->of), given), "no message fits");
  help_with_interface(at, d, e.target->of);
  return nullptr;
}

void send_literal(const context& at, const form& f, tree::send& e) {
  const form& message = f.parts[2];
  const std::string_view tag = tag_of(message);
  const std::size_t first = tag.empty() ? 0 : 1;
  const sent_message sent{message, tag, message.parts.size() - first};
  if (!tag.empty()) e.tag = message.parts[0].where;
  const std::vector<const type*> fitting = candidates(at, e.target->of, sent, e.what != op::past);
  if (fitting.empty()) {
    say_not_understood(at, sent, e.target->of, e.what);
    for (std::size_t i = first; i < message.parts.size(); ++i) value(at, message.parts[i], at.types.unknown);
    return;
  }
  if (fitting.size() > 1) {
    e.selector = chosen_by_elements(at, sent, fitting, e);
    if (e.selector == nullptr) return;
  } else {
    e.selector = fitting.front();
    for (std::size_t i = 0; i < sent.count; ++i) {
      e.elements.push_back(value_as(at, message.parts[first + i], e.selector->parts[i], [&] {
        return fmt::format("element {} of {}", i + 1, tag.empty() ? "the message" : fmt::format("`{}`", tag));
      }));
    }
  }
  if (e.what == op::now) e.of = e.selector->answer();
}

// Which of the messages that `target` understands takes a value of type `sent`; null: none.
const type* taken_from(const context& at, const type* target, const type* sent, bool wants_reply) {
  for (const type* m : at.types.messages_of(target)) {
    if (!wants_reply && at.types.fits(sent, m)) return m;
    if (!m->wants_reply()) continue;
    std::vector<const type*> parts = m->parts;
    parts.pop_back();
    if (at.types.fits(sent, at.types.message(m->name, std::move(parts)))) return m;
  }
  return nullptr;
}

void send_value(const context& at, const form& f, tree::send& e) {
  e.whole = value(at, f.parts[2]);
  const type* const sent = e.whole->of;
  if (sent->is_error()) return;
  if (!sent->is(type::kind::message)) {
    at.said
        .error(18, f.parts[2].where, "a message stands in square brackets",
               fmt::format("this is {}", with_article(sent)))
        .help.push_back(fmt::format("[target {} [...]]", f.parts[1].word));
    return;
  }
  const bool wants_reply = e.what != op::past;
  e.selector = taken_from(at, e.target->of, sent, wants_reply);
  if (e.selector == nullptr) {
    say_not_understood(at, {f.parts[2], sent->name, sent->parts.size()}, e.target->of, e.what);
  } else if (wants_reply) {
    e.of = e.selector->answer();
  }
}

// Nobody knows what the target understands: what stands in the message may be wrong by itself.
void send_to_unknown(const context& at, const form& f, tree::send& e) {
  e.of = at.types.unknown;
  if (!is_literal_message(f.parts[2])) {
    value(at, f.parts[2]);
    return;
  }
  for (const form& part : f.parts[2].parts) {
    if (!part.is(form::kind::tag)) e.elements.push_back(value(at, part, at.types.unknown));
  }
}

void send_to_no_object(const context& at, const form& f, tree::send& e) {
  const type* const target = e.target->of;
  diagnostic& d = at.said.error(44, f.parts[0].where, "messages are sent to objects and reply destinations",
                                fmt::format("this is {}", with_article(target)));
  const bool is_number = target->is(type::kind::integer) || target->is(type::kind::real);
  if (target->is(type::kind::array)) d.help.push_back("(aref array index) is one of its elements");
  if (target->is(type::kind::nil)) d.help.push_back("nil is no object");
  if (is_number && !f.parts[2].is(form::kind::square)) d.help.push_back("(<= a b) compares");
  forgive(at, f.parts[2]);
  e.of = at.types.unknown;
}

// Where the reply to the send `e` goes: $ future.
expression_ptr future_of(const context& at, const form& f, const tree::send& e) {
  expression_ptr future = value(at, f);
  const type* const of = future->of;
  if (!of->is(type::kind::future)) {
    if (!of->is_error())
      at.said.error(61, f.where, "`$` is followed by a future", fmt::format("this is {}", with_article(of)));
  } else if (e.selector != nullptr && !at.types.fits(e.selector->answer(), of->of())) {
    at.said.error(61, f.where, fmt::format("the reply to this is {}", with_article(e.selector->answer())),
                  fmt::format("the future holds {}", shown(of->of())));
  }
  return future;
}

}  // namespace

expression_ptr send(const context& at, const form& f, op how, bool express) {
  const bool to_future = how == op::past && f.parts.size() == 5 && f.parts[3].is_symbol("$");
  if (f.parts.size() != 3 && !to_future) {
    diagnostic& d = at.said.error(18, f.where, "a send is a target, an operator and one message",
                                  fmt::format("{} parts behind the operator", f.parts.size() - 2));
    const bool no_dollar = how == op::past && f.parts.size() == 4 && f.parts[2].is(form::kind::square) &&
                           !f.parts[3].is(form::kind::square);
    d.help.push_back(
        no_dollar ? fmt::format("the reply goes into a future behind `$`: [target {} [...] $ future]", f.parts[1].word)
                  : fmt::format("[target {} [:tag element ...]]", f.parts[1].word));
    return wrong(at, f);
  }
  const bool good = may_act(at, f, "does not send");
  auto e = made<tree::send>(to_future ? op::future : how, f, how == op::now ? at.types.unknown : at.types.empty);
  e->express = express;
  e->elements.reserve(f.parts[2].parts.size());
  e->target = value(at, f.parts[0]);
  if (!good) {
    e->of = at.types.unknown;
    return e;
  }
  if (how == op::now && e->target->what == op::me)
    at.said.warning(102, f.where, "an object that waits for its own reply waits for ever", "`me` is busy with this")
        .help.push_back("a past send `<=` to `me` is executed when this clause has ended");

  const type* const target = e->target->of;
  if (target->is_error() || at.types.is_open(target)) {
    send_to_unknown(at, f, *e);
  } else if (target->is(type::kind::reply)) {
    send_to_reply(at, f, *e);
  } else if (!target->is(type::kind::a_class) && !target->is(type::kind::object)) {
    send_to_no_object(at, f, *e);
  } else if (is_literal_message(f.parts[2])) {
    send_literal(at, f, *e);
  } else {
    send_value(at, f, *e);
  }
  if (to_future) e->future = future_of(at, f.parts[4], *e);
  return e;
}

}  // namespace abcl
