// Clauses: how an object takes messages, and how a value is taken apart.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/checker.hpp"

namespace abcl {

checker::arrow checker::arrow_of(const form& f) {
  if (f.is_symbol("=>")) return {true, false, false};
  if (f.is_symbol("==>")) return {true, true, false};
  if (f.is_symbol("=>>")) return {true, false, true};
  if (f.is_symbol("==>>")) return {true, true, true};
  return {};
}

bool checker::clause_shape(const form& f, arrow& found) {
  if (f.is(form::kind::round) && !f.parts.empty()) found = arrow_of(f.parts[0]);
  script_is_wrong_ |= !found.is_one || f.parts.size() < 2 || !f.parts[1].is(form::kind::square);
  if (!found.is_one) {
    said_.error(20, f.where, "a clause is expected", "(=> [name ...] form ...)")
        .help.push_back(
            "it begins with `=>`; with `==>` if it replies; doubled at the tip, `=>>`, for express messages");
    return false;
  }
  if (f.parts.size() < 2 || !f.parts[1].is(form::kind::square)) {
    said_.error(20, f.parts[0].where, "a clause begins with the message that it takes",
                "[:tag name ...] is expected behind it");
    return false;
  }
  return true;
}

expression_ptr checker::special_script(const form& f, const type*) {
  expression_ptr e = made(op::script, f, types_.nothing);
  // value() has taken the permission away by now, any_value() has not.
  if (!script_may_stand_) {
    said_.error(57, f.where, "`script` stands at the end of a class", "not inside of another form")
        .help.push_back("inside of a clause, `wait-for` takes messages");
    return e;
  }
  script_may_stand_ = false;
  for (std::size_t i = 1; i < f.parts.size(); ++i) accept_clause(f.parts[i], true, *e, nullptr);
  warn_of_unreachable(e->clauses);
  return e;
}

expression_ptr checker::special_wait_for(const form& f, const type* wanted) {
  expression_ptr e = made(op::wait_for, f, types_.unknown);
  if (in_class_ == nullptr) {
    said_.error(59, f.where, "functions take no messages", "not here");
    return e;
  }
  may_wait(f, "does not wait");
  const type* of = nullptr;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    const std::size_t before = e->clauses.size();
    accept_clause(f.parts[i], false, *e, wanted);
    if (e->clauses.size() > before) of = join(of, e->clauses.back().of);
  }
  warn_of_unreachable(e->clauses);
  if (of != nullptr) e->of = of;
  return e;
}

const type* checker::taken_by(const form& f, arrow& a) {
  const form& p = f.parts[1];
  const bool tagged = !p.parts.empty() && p.parts[0].is(form::kind::tag);
  const std::string_view tag = tagged ? p.parts[0].word : std::string_view();
  const std::size_t count = p.parts.size() - (tagged ? 1 : 0);
  const type* same_tag = nullptr;
  const type* open = nullptr;
  std::vector<std::string> tags;
  if (is_open(in_class_->of)) return nullptr;
  for (const type* m : in_class_->interface->parts) {
    if (!m->name.empty()) tags.emplace_back(m->name);
    if (m->name != tag) continue;
    same_tag = m;
    if (!a.replies && m->parts.size() == count) return m;
    if (m->wants_reply() && m->parts.size() == count + 1) open = m;
  }
  if (open != nullptr) {
    if (!a.replies) {
      said_
          .warning(101, f.parts[0].where, "`=>` takes a message that wants a reply, and leaves its destination out",
                   "taken as `==>`")
          .help.push_back("write `==>`, or give the destination a name behind the other elements");
      a.replies = true;
    }
    return open;
  }
  const std::string name(in_class_->name);
  const std::string near = nearest(tag, tags);
  for (const type* m : in_class_->interface->parts) {
    // The clause was meant for one of these.
    if (m->name == (same_tag != nullptr ? tag : std::string_view(near))) accepted_.push_back(m);
  }
  if (same_tag != nullptr && a.replies && same_tag->parts.size() == count && !same_tag->wants_reply()) {
    said_.error(53, f.parts[0].where, fmt::format("{} wants no reply", shown(same_tag)), "`=>` takes it");
  } else if (same_tag != nullptr) {
    diagnostic& d =
        said_.error(52, p.where, fmt::format("{} of `{}` has another number of elements", shown(same_tag), name),
                    fmt::format("{} here", count));
    if (same_tag->wants_reply() && a.replies)
      d.help.push_back("`==>` does not name the reply destination, which is the last element; `!` replies to it");
  } else {
    diagnostic& d =
        said_.error(52, p.where,
                    tag.empty() ? fmt::format("the interface of `{}` has no such message without a tag", name)
                                : fmt::format("the interface of `{}` has no message `{}`", name, tag),
                    "nobody can send it");
    d.notes.push_back({in_class_->name_where, "the interface is here"});
    if (!tag.empty() && !near.empty()) d.help.push_back(fmt::format("did you mean `{}`?", near));
  }
  return nullptr;
}

void checker::accept_clause(const form& f, bool in_script, expression& into, const type* wanted) {
  arrow a;
  if (!clause_shape(f, a)) return;
  if (a.express && !in_script)
    said_.error(20, f.parts[0].where, "express clauses stand in a script only", "not in `wait-for`");
  clause c;
  c.where = f.where;
  if (!f.parts[1].parts.empty() && f.parts[1].parts[0].is(form::kind::tag)) c.tag = f.parts[1].parts[0].where;
  c.express = a.express;
  c.takes = taken_by(f, a);
  c.replies = a.replies;
  std::vector<const type*> elements;
  if (c.takes != nullptr) {
    elements = c.takes->parts;
    if (c.replies) elements.pop_back();
    accepted_.push_back(c.takes);
  } else {
    elements.assign(f.parts[1].parts.size(), types_.unknown);
  }
  const auto* const answers_before = answers_;
  const bool answered_before = has_answered_;
  const bool express_before = in_express_;
  if (c.replies) {
    answers_ = c.takes != nullptr ? c.takes->answer() : types_.unknown;
    has_answered_ = false;
  }
  in_express_ |= c.express;
  begin_scope();
  pattern(f, elements, c);
  const bool chooses =
      std::any_of(c.pattern.begin(), c.pattern.end(), [](const pattern_element& p) { return p.literal != nullptr; });
  if (c.express && (chooses || (f.parts.size() > 2 && f.parts[2].is_symbol("where"))))
    said_.error(64, f.parts[1].where, "an express clause takes every message of its kind", "no conditions here")
        .help.push_back("what it does may depend on them: (if condition then else)");
  body_of(f, c, wanted);
  if (in_script && !c.body.empty()) warn_if_ignored(*c.body.back());
  end_scope();
  if (c.replies && !has_answered_)
    said_.warning(104, f.parts[0].where, "this clause never replies", "who asks waits for ever")
        .help.push_back("`!value` replies; a message that wants no reply has no (@ T) in the interface");
  if (c.replies) {
    answers_ = answers_before;
    has_answered_ = answered_before;
  }
  in_express_ = express_before;
  into.clauses.push_back(std::move(c));
}

void checker::pattern(const form& f, const std::vector<const type*>& elements, clause& c) {
  const std::vector<form>& parts = f.parts[1].parts;
  const std::size_t first = !parts.empty() && parts[0].is(form::kind::tag) ? 1 : 0;
  for (std::size_t i = first; i < parts.size(); ++i) {
    const type* const of = i - first < elements.size() ? elements[i - first] : types_.unknown;
    pattern_element p;
    const bool is_value = !parts[i].is(form::kind::symbol) || parts[i].word == "true" || parts[i].word == "false" ||
                          parts[i].word == "nil";
    if (parts[i].is_symbol("_")) {
      // Takes anything.
    } else if (!is_value) {
      p.bound = declare(variable::kind::pattern, parts[i], of);
    } else if (parts[i].is(form::kind::integer) || parts[i].is(form::kind::real) || parts[i].is(form::kind::text) ||
               parts[i].is(form::kind::symbol)) {
      p.literal = value_as(parts[i], of, fmt::format("element {} of this message", i - first + 1));
    } else {
      said_.error(21, parts[i].where, "a pattern consists of names, literals and `_`", "none of them")
          .help.push_back("a condition stands behind the pattern: (=> [n] where (> n 0) ...)");
      c.takes = nullptr;
    }
    c.pattern.push_back(std::move(p));
  }
}

void checker::body_of(const form& f, clause& c, const type* wanted) {
  std::size_t first = 2;
  if (f.parts.size() > 2 && f.parts[2].is_symbol("where")) {
    if (f.parts.size() == 3) {
      said_.error(20, f.parts[2].where, "`where` is followed by a condition", "none is here");
      c.of = types_.unknown;
      return;
    }
    const bool before = std::exchange(in_guard_, true);
    c.guard = value_as(f.parts[3], types_.boolean, "a guard");
    in_guard_ = before;
    first = 4;
  }
  c.of = sequence(f, first, c.body, wanted);
}

expression_ptr checker::special_match(const form& f, const type* wanted) {
  expression_ptr e = made(op::match, f, types_.unknown);
  e->parts.push_back(value(f.parts[1]));
  const type* const of = e->parts[0]->of;
  const type* taken = of->is(type::kind::message) ? of : types_.message({}, {of});
  const type* joined = nullptr;
  for (std::size_t i = 2; i < f.parts.size(); ++i) {
    arrow a;
    if (!clause_shape(f.parts[i], a)) continue;
    if (a.replies || a.express)
      said_.error(20, f.parts[i].parts[0].where, "`match` takes values apart, and they want no reply",
                  "`=>` is expected");
    const std::vector<form>& parts = f.parts[i].parts[1].parts;
    const bool tagged = !parts.empty() && parts[0].is(form::kind::tag);
    const std::string_view tag = tagged ? parts[0].word : std::string_view();
    const std::size_t count = parts.size() - (tagged ? 1 : 0);
    std::vector<const type*> elements = taken->parts;
    const type* taken_here = taken;
    if (of->is_error()) {
      elements.assign(count, types_.unknown);
    } else if (taken->name != tag || taken->parts.size() != count) {
      said_
          .error(50, f.parts[i].parts[1].where, fmt::format("the value is {}", with_article(of)),
                 "this pattern never fits")
          .notes.push_back({f.parts[1].where, "the value is here"});
      elements.assign(count, types_.unknown);
      taken_here = nullptr;
    }
    clause c;
    c.where = f.parts[i].where;
    c.takes = taken_here;
    begin_scope();
    pattern(f.parts[i], elements, c);
    body_of(f.parts[i], c, wanted);
    end_scope();
    joined = join(joined, c.of);
    e->clauses.push_back(std::move(c));
  }
  warn_of_unreachable(e->clauses);
  if (joined != nullptr) e->of = joined;
  return e;
}

void checker::warn_of_unreachable(const std::vector<clause>& clauses) {
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const clause& first = clauses[i];
    const bool takes_all = first.takes != nullptr && first.guard == nullptr &&
                           std::none_of(first.pattern.begin(), first.pattern.end(),
                                        [](const pattern_element& p) { return p.literal != nullptr; });
    if (!takes_all) continue;
    for (std::size_t j = i + 1; j < clauses.size(); ++j) {
      if (clauses[j].takes == first.takes && clauses[j].express == first.express)
        said_.warning(103, clauses[j].where, "this clause is never reached", "")
            .notes.push_back({first.where, "this one takes every such message"});
    }
  }
}

namespace {

// "(==> [:put a b] ...) in its script"
std::string clause_for(const type* m) {
  std::string elements(m->name);
  const std::size_t count = m->parts.size() - (m->wants_reply() ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i)
    elements += (elements.empty() ? "" : " ") + std::string(1, static_cast<char>('a' + i % 26));
  return fmt::format("({} [{}] ...) in its script", m->wants_reply() ? "==>" : "=>", elements);
}

}  // namespace

void checker::require_all_clauses() {
  if (in_class_->body.empty() || in_class_->body.back()->what != op::script || script_is_wrong_ ||
      is_open(in_class_->of))
    return;
  for (const type* m : in_class_->interface->parts) {
    if (std::find(accepted_.begin(), accepted_.end(), m) != accepted_.end()) continue;
    said_
        .error(51, in_class_->name_where, fmt::format("`{}` has no clause for {}", in_class_->name, shown(m)),
               "its interface promises one")
        .help.push_back(clause_for(m));
  }
}

}  // namespace abcl
