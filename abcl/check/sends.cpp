// Sends, messages and creations.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/checker.hpp"

namespace abcl {
namespace {

std::string_view tag_of(const form& message) {
  return !message.parts.empty() && message.parts[0].is(form::kind::tag) ? message.parts[0].word : std::string_view();
}

// A message as it is written, not an expression that has one as its value.
bool is_literal(const form& f) {
  if (!f.is(form::kind::square)) return false;
  if (f.parts.size() < 2 || !f.parts[1].is(form::kind::symbol)) return true;
  const std::string_view middle = f.parts[1].word;
  return middle != "<=" && middle != "<==" && middle != "<<=" && middle != "<<==" && middle != ":=";
}

std::string in_words(std::size_t count) { return count == 1 ? "1 element" : fmt::format("{} elements", count); }

bool is_number_type(const type* t) { return t->is(type::kind::integer) || t->is(type::kind::real); }

}  // namespace

expression_ptr checker::send(const form& f, op how, bool express) {
  const bool to_future = how == op::past && f.parts.size() == 5 && f.parts[3].is_symbol("$");
  if (f.parts.size() != 3 && !to_future) {
    diagnostic& d = said_.error(18, f.where, "a send is a target, an operator and one message",
                                fmt::format("{} parts behind the operator", f.parts.size() - 2));
    d.help.push_back(fmt::format("[target {} [:tag element ...]]", f.parts[1].word));
    return wrong(f);
  }
  const bool good = may_wait(f, "does not send");
  expression_ptr e = made(to_future ? op::future : how, f, how == op::now ? types_.unknown : types_.empty);
  e->express = express;
  e->parts.push_back(value(f.parts[0]));
  if (!good) {
    e->of = types_.unknown;
    return e;
  }
  if (how == op::now && e->parts[0]->what == op::me)
    said_.warning(102, f.where, "an object that waits for its own reply waits for ever", "`me` is busy with this")
        .help.push_back("a past send `<=` to `me` is executed when this clause has ended");

  const type* const target = e->parts[0]->of;
  if (target->is_error() || is_open(target)) {
    e->of = types_.unknown;
    if (is_literal(f.parts[2])) {
      // What stands in it may be wrong by itself; what fits is not known.
      for (const form& part : f.parts[2].parts) {
        if (!part.is(form::kind::tag)) e->parts.push_back(value(part, types_.unknown));
      }
    } else {
      value(f.parts[2]);
    }
  } else if (target->is(type::kind::reply)) {
    send_to_reply(f, *e);
  } else if (!target->is(type::kind::a_class) && !target->is(type::kind::object)) {
    diagnostic& d = said_.error(44, f.parts[0].where, "messages are sent to objects and reply destinations",
                                fmt::format("this is {}", with_article(target)));
    if (target->is(type::kind::array)) d.help.push_back("(aref array index) is one of its elements");
    if (target->is(type::kind::nil)) d.help.push_back("nil is no object");
    if (is_number_type(target) && !f.parts[2].is(form::kind::square)) d.help.push_back("(<= a b) compares");
    forgive(f.parts[2]);
    e->of = types_.unknown;
  } else if (is_literal(f.parts[2])) {
    send_literal(f, *e);
  } else {
    send_value(f, *e);
  }

  if (to_future) {
    expression_ptr future = value(f.parts[4]);
    const type* const of = future->of;
    if (!of->is(type::kind::future)) {
      if (!of->is_error())
        said_.error(61, f.parts[4].where, "`$` is followed by a future", fmt::format("this is {}", with_article(of)));
    } else if (e->selector != nullptr && !types_.fits(e->selector->answer(), of->of())) {
      said_.error(61, f.parts[4].where, fmt::format("the reply to this is {}", with_article(e->selector->answer())),
                  fmt::format("the future holds {}", shown(of->of())));
    }
    e->parts.push_back(std::move(future));
  }
  return e;
}

void checker::send_to_reply(const form& f, expression& e) {
  if (e.what != op::past) {
    said_.error(43, f.where, "a reply destination does not reply", "a past send `<=` is expected");
    value(f.parts[2], types_.unknown);
    return;
  }
  e.whole = true;
  e.parts.push_back(value_as(f.parts[2], e.parts[0]->of->of(), "the reply"));
}

void checker::elements(const form& message, std::size_t first, const std::vector<const type*>& wanted, expression& e) {
  for (std::size_t i = first; i < message.parts.size(); ++i) {
    const std::string_view tag = tag_of(message);
    e.parts.push_back(value_as(
        message.parts[i], wanted[i - first],
        fmt::format("element {} of {}", i - first + 1, tag.empty() ? "the message" : fmt::format("`{}`", tag))));
  }
}

void checker::send_literal(const form& f, expression& e) {
  const form& message = f.parts[2];
  const std::string_view tag = tag_of(message);
  const std::size_t first = tag.empty() ? 0 : 1;
  const std::size_t given = message.parts.size() - first;
  const bool wants_reply = e.what != op::past;
  if (!tag.empty()) e.tag = message.parts[0].where;
  std::vector<const type*> fitting;
  for (const type* m : types_.messages_of(e.parts[0]->of)) {
    if (m->name != tag) continue;
    const bool complete = !wants_reply && m->parts.size() == given;
    const bool open = m->wants_reply() && m->parts.size() == given + 1;
    if (complete || open) fitting.push_back(m);
  }
  if (fitting.empty()) {
    not_understood(message, *e.parts[0], tag, given, e.what);
    for (std::size_t i = first; i < message.parts.size(); ++i) value(message.parts[i], types_.unknown);
    return;
  }
  // The first choice is a message that takes what was given completely.
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const type* a, const type* b) { return a->parts.size() < b->parts.size(); });
  e.selector = fitting.front();
  if (fitting.size() == 1) {
    elements(message, first, e.selector->parts, e);
  } else {
    for (std::size_t i = first; i < message.parts.size(); ++i) {
      // Where all agree, the element knows what is expected.
      const type* const one = fitting.front()->parts[i - first];
      const bool agreed =
          std::all_of(fitting.begin(), fitting.end(), [&](const type* m) { return m->parts[i - first] == one; });
      // A reply box goes where a destination is taken.
      const type* destination = nullptr;
      if (message.parts[i].is_form("@")) {
        for (const type* m : fitting) {
          if (destination == nullptr && m->parts[i - first]->is(type::kind::reply)) destination = m->parts[i - first];
        }
      }
      e.parts.push_back(value(message.parts[i], agreed ? one : destination));
    }
    const auto takes = [&](const type* m) {
      for (std::size_t i = 0; i < given; ++i) {
        if (!types_.fits(e.parts[i + 1]->of, m->parts[i])) return false;
      }
      return true;
    };
    const auto found = std::find_if(fitting.begin(), fitting.end(), takes);
    if (found == fitting.end()) {
      std::string of = "[" + std::string(tag);
      for (std::size_t i = 0; i < given; ++i) of += (of.size() > 1 ? " " : "") + shown(e.parts[i + 1]->of);
      diagnostic& d = said_.error(
          40, message.where, fmt::format("{} does not understand {}]", shown(e.parts[0]->of), of), "no message fits");
      understands_help(d, e.parts[0]->of);
      e.selector = nullptr;
      return;
    }
    e.selector = *found;
  }
  if (e.what == op::now) e.of = e.selector->answer();
}

void checker::send_value(const form& f, expression& e) {
  e.whole = true;
  e.parts.push_back(value(f.parts[2]));
  const type* const sent = e.parts[1]->of;
  if (sent->is_error()) return;
  const bool wants_reply = e.what != op::past;
  if (!sent->is(type::kind::message)) {
    said_
        .error(18, f.parts[2].where, "a message stands in square brackets",
               fmt::format("this is {}", with_article(sent)))
        .help.push_back(fmt::format("[target {} [...]]", f.parts[1].word));
    return;
  }
  for (const type* m : types_.messages_of(e.parts[0]->of)) {
    std::vector<const type*> parts = m->parts;
    if (wants_reply && !m->wants_reply()) continue;
    if (!wants_reply && types_.fits(sent, m)) {
      e.selector = m;
      return;
    }
    if (!m->wants_reply()) continue;
    parts.pop_back();
    if (types_.fits(sent, types_.message(m->name, std::move(parts)))) {
      e.selector = m;
      if (wants_reply) e.of = m->answer();
      return;
    }
  }
  not_understood(f.parts[2], *e.parts[0], sent->name, sent->parts.size(), e.what);
}

void checker::understands_help(diagnostic& d, const type* t) {
  constexpr std::size_t most = 8;
  const std::vector<const type*> all = types_.messages_of(t);
  if (all.empty()) {
    d.help.push_back(fmt::format("{} understands no messages", shown(t)));
    return;
  }
  std::string list;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) list += (i > 0 ? ", " : "") + shown(all[i]);
  if (all.size() > most) list += fmt::format(" and {} more", all.size() - most);
  d.help.push_back(fmt::format("{} understands {}", shown(t), list));
}

void checker::not_understood(const form& message, const expression& target, std::string_view tag, std::size_t count,
                             op how) {
  std::vector<std::string> tags;
  const type* same_tag = nullptr;
  const type* without_reply = nullptr;
  for (const type* m : types_.messages_of(target.of)) {
    if (!m->name.empty()) tags.emplace_back(m->name);
    if (m->name != tag) continue;
    same_tag = m;
    if (m->parts.size() == count && !m->wants_reply()) without_reply = m;
    if (m->wants_reply() && m->parts.size() == count) same_tag = m;
  }
  const std::string object = shown(target.of);
  if (how != op::past && without_reply != nullptr) {
    said_
        .error(43, message.where, fmt::format("{} does not reply to {}", object, shown(without_reply)),
               "nothing would come")
        .help.push_back("a past send `<=` does not wait");
    return;
  }
  if (same_tag != nullptr) {
    const std::size_t wanted = same_tag->parts.size() - (same_tag->wants_reply() ? 1 : 0);
    diagnostic& d = said_.error(42, message.where,
                                tag.empty() ? fmt::format("the message to {} has {}", object, in_words(wanted))
                                            : fmt::format("`{}` to {} has {}", tag, object, in_words(wanted)),
                                fmt::format("{} given", in_words(count)));
    understands_help(d, target.of);
    return;
  }
  const span where = tag.empty() || message.parts.empty() ? message.where : message.parts[0].where;
  diagnostic& d =
      tag.empty()
          ? said_.error(41, where, fmt::format("{} does not understand messages without a tag", object), "no tag")
          : said_.error(41, where, fmt::format("{} does not understand `{}`", object, tag), "no message with this tag");
  understands_help(d, target.of);
  if (const std::string meant = nearest(tag, tags); !tag.empty() && !meant.empty())
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
}

expression_ptr checker::message(const form& f, const type* wanted) {
  const std::string_view tag = tag_of(f);
  const std::size_t first = tag.empty() ? 0 : 1;
  const bool known = wanted != nullptr && wanted->is(type::kind::message) && wanted->name == tag &&
                     wanted->parts.size() == f.parts.size() - first;
  expression_ptr e = made(op::message, f, types_.unknown);
  std::vector<const type*> of;
  bool good = true;
  for (std::size_t i = first; i < f.parts.size(); ++i) {
    if (f.parts[i].is_symbol("$")) {
      said_.error(18, f.parts[i].where, "`$` belongs to a past send", "[target <= message $ future]");
      return wrong(f);
    }
    e->parts.push_back(value(f.parts[i], known ? wanted->parts[i - first] : nullptr));
    const type* const part = e->parts.back()->of;
    good &= !part->is_error();
    if (part->is(type::kind::nothing)) {
      said_.error(55, f.parts[i].where, "this has no value to put into a message", "no value");
      good = false;
    }
    of.push_back(part);
  }
  if (good) e->of = types_.message(tag, std::move(of));
  return e;
}

expression_ptr checker::creation(const form& f, const type*) {
  if (!in_initial_) may_wait(f, "does not create objects");
  expression_ptr e = made(op::create, f, types_.unknown);
  const form& name = f.parts[1];
  class_def* const c = name.is(form::kind::symbol) ? program_.find_class(name.word) : nullptr;
  if (c == nullptr) {
    diagnostic& d = said_.error(31, name.where,
                                name.is(form::kind::symbol) ? fmt::format("there is no class `{}`", name.word)
                                                            : std::string("`new` is followed by the name of a class"),
                                "not a class");
    std::vector<std::string> known;
    for (const class_def& each : program_.classes) known.emplace_back(each.name);
    if (const std::string meant = nearest(name.word, known); !meant.empty())
      d.help.push_back(fmt::format("did you mean `{}`?", meant));
    forgive(f);
    return e;
  }
  c->uses.push_back(name.where);
  e->of = c->of;
  e->of_class = c;
  if (is_open(c->of)) {
    forgive(f);
    return e;
  }
  std::size_t end = f.parts.size();
  for (std::size_t i = 2; i < f.parts.size(); ++i) {
    if (f.parts[i].is(form::kind::tag) && f.parts[i].word == ":on") {
      e->placed = true;
      end = i;
      break;
    }
  }
  if (e->placed && end + 2 != f.parts.size()) {
    said_.error(48, f.parts[end].where, "`:on` is followed by a node, and ends the arguments",
                "one number is expected behind it");
    return e;
  }
  const std::size_t given = end - 2, wanted = c->arguments.size();
  if (given != wanted) {
    said_
        .error(48, f.where, fmt::format("`{}` is created with {} argument{}", c->name, wanted, wanted == 1 ? "" : "s"),
               fmt::format("{} given", given))
        .notes.push_back({c->name_where, "the class is here"});
    forgive(f);
    return e;
  }
  for (std::size_t i = 0; i < given; ++i)
    e->parts.push_back(
        value_as(f.parts[i + 2], c->arguments[i]->of, fmt::format("argument {} of `{}`", i + 1, c->name)));
  if (e->placed) e->parts.push_back(value_as(f.parts[end + 1], types_.integer, "the node of `:on`"));
  return e;
}

}  // namespace abcl
