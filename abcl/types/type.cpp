#include "abcl/types/type.hpp"

#include <algorithm>

namespace abcl {

type_table::type_table()
    : unknown(made(type::kind::unknown, {}, {})),
      nothing(made(type::kind::nothing, {}, {})),
      integer(made(type::kind::integer, {}, {})),
      real(made(type::kind::real, {}, {})),
      boolean(made(type::kind::boolean, {}, {})),
      text(made(type::kind::text, {}, {})),
      nil(made(type::kind::nil, {}, {})),
      empty(made(type::kind::message, {}, {})) {}

const type* type_table::made(type::kind what, std::string_view name, std::vector<const type*> parts) {
  std::unique_ptr<type>& found = made_[key{{what, name}, parts}];
  if (found == nullptr) found = std::make_unique<type>(type{what, name, {}, std::move(parts)});
  return found.get();
}

const type* type_table::message(std::string_view tag, std::vector<const type*> elements) {
  return made(type::kind::message, tag, std::move(elements));
}

const type* type_table::object(std::vector<const type*> messages) {
  // The order of writing does not matter; that of the text is the same in each run.
  std::sort(messages.begin(), messages.end(), [](const type* a, const type* b) { return spelled(a) < spelled(b); });
  messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  return made(type::kind::object, {}, std::move(messages));
}

void type_table::give_name(const type* t, std::string_view alias) {
  const bool has_parts = !t->parts.empty() || t->is(type::kind::object);
  std::string_view& name = made_.at(key{{t->what, t->name}, t->parts})->alias;
  if (has_parts && name.empty()) name = alias;
}

std::vector<const type*> type_table::messages_of(const type* t) {
  if (t->is(type::kind::object)) return t->parts;
  if (t->is(type::kind::a_class)) {
    const auto found = interfaces_.find(t);
    return found == interfaces_.end() ? std::vector<const type*>{} : found->second->parts;
  }
  if (t->is(type::kind::reply)) {
    // What is replied is a message, or a value that stands for a message with this one element.
    return {t->of()->is(type::kind::message) ? t->of() : message({}, {t->of()})};
  }
  return {};
}

bool type_table::fits(const type* from, const type* to) {
  if (from == to) return true;
  const question asked{from, to};
  if (no_.contains(asked)) return false;
  if (yes_.contains(asked) || std::find(assumed_.begin(), assumed_.end(), asked) != assumed_.end()) return true;
  const std::size_t before = assumed_.size();
  assumed_.push_back(asked);
  const bool yes = fits_now(from, to);
  if (!yes) {
    assumed_.resize(before);
    no_.insert(asked);
  } else if (before == 0) {
    yes_.insert(assumed_.begin(), assumed_.end());
    assumed_.clear();
  }
  return yes;
}

bool type_table::fits_now(const type* from, const type* to) {
  using kind = type::kind;
  if (from->is_error() || to->is_error() || from->is(kind::nothing) || is_open(from) || is_open(to)) return true;
  if (from->is(kind::nil)) return to->is(kind::a_class) || to->is(kind::object) || to->is(kind::reply);
  const bool is_object = from->is(kind::a_class) || from->is(kind::object);
  if (to->is(kind::object) && is_object) {
    return std::all_of(to->parts.begin(), to->parts.end(), [&](const type* m) { return understands(from, m); });
  }
  if (to->is(kind::reply) && is_object) {
    const bool yes = understands(from, messages_of(to).front());
    if (yes) replied_to_objects_.insert(to->of());
    return yes;
  }
  if (to->is(kind::reply) && from->is(kind::reply)) return fits(to->of(), from->of());
  if (to->is(kind::message) && from->is(kind::message)) return accepts(to, from);
  return false;
}

bool type_table::understands(const type* object, const type* message) {
  const std::vector<const type*> all = messages_of(object);
  // Who asks, and gets a reply, is not confused with who sends an object that could stand for its destination.
  return std::any_of(all.begin(), all.end(), [&](const type* each) {
    return each->wants_reply() == message->wants_reply() && accepts(each, message);
  });
}

bool type_table::accepts(const type* accepted, const type* sent) {
  return accepted->name == sent->name && accepted->parts.size() == sent->parts.size() &&
         std::equal(sent->parts.begin(), sent->parts.end(), accepted->parts.begin(),
                    [this](const type* from, const type* to) { return fits(from, to); });
}

const type* type_table::join(const type* a, const type* b) {
  using kind = type::kind;
  if (a->is_error() || b->is_error()) return unknown;
  if (fits(a, b)) return b;
  if (fits(b, a)) return a;
  if (a->is(kind::message) && b->is(kind::message) && a->name == b->name && a->parts.size() == b->parts.size()) {
    std::vector<const type*> parts;
    for (std::size_t i = 0; i < a->parts.size(); ++i) {
      const type* const part = join(a->parts[i], b->parts[i]);
      if (part == nullptr) return nullptr;
      parts.push_back(part);
    }
    return message(a->name, std::move(parts));
  }
  const auto is_object = [](const type* t) { return t->is(kind::a_class) || t->is(kind::object); };
  if (!is_object(a) || !is_object(b)) return nullptr;
  // What both understand.
  std::vector<const type*> both;
  for (const type* m : messages_of(a)) {
    if (understands(b, m)) both.push_back(m);
  }
  for (const type* m : messages_of(b)) {
    if (understands(a, m)) both.push_back(m);
  }
  return both.empty() ? nullptr : object(std::move(both));
}

namespace {

// Which types are shown by the names that the program has given to them.
enum class by_name { all, parts, none };

void show(std::string& out, const type* t, int depth, by_name which) {
  constexpr int deepest = 12;
  using kind = type::kind;
  if (which == by_name::all && !t->alias.empty()) {
    out += t->alias;
    return;
  }
  if (depth > deepest) {
    out += "...";
    return;
  }
  const by_name below = which == by_name::none ? by_name::none : by_name::all;
  const auto list = [&](std::string_view begin, char end) {
    out += begin;
    bool first = begin.size() == 1;
    for (const type* part : t->parts) {
      if (!first) out += ' ';
      first = false;
      // A message of an interface is what it is, whatever else has the name of its type.
      const bool of_interface = t->is(kind::object) && which != by_name::none;
      show(out, part, depth + 1, of_interface ? by_name::parts : below);
    }
    out += end;
  };
  switch (t->what) {
    case kind::unknown:
      out += '?';
      break;
    case kind::nothing:
      out += "no value";
      break;
    case kind::integer:
      out += "Int";
      break;
    case kind::real:
      out += "Float";
      break;
    case kind::boolean:
      out += "Bool";
      break;
    case kind::text:
      out += "Str";
      break;
    case kind::nil:
      out += "nil";
      break;
    case kind::a_class:
      out += t->name;
      break;
    case kind::message:
      list("[" + std::string(t->name), ']');
      break;
    case kind::object:
      list("(obj", ')');
      break;
    case kind::reply:
      list("(@", ')');
      break;
    case kind::array:
      list("(array", ')');
      break;
    case kind::future:
      list("(future", ')');
      break;
  }
}

}  // namespace

std::string shown(const type* t) {
  std::string out;
  show(out, t, 0, by_name::all);
  return out;
}

std::string written_out(const type* t) {
  std::string out;
  show(out, t, 0, by_name::parts);
  return out;
}

std::string spelled(const type* t) {
  std::string out;
  show(out, t, 0, by_name::none);
  return out;
}

std::vector<const type*> named_in(const type* t) {
  if (!t->alias.empty()) return {t};
  std::vector<const type*> all;
  const auto add = [&](const type* part) {
    for (const type* named : named_in(part)) {
      if (std::find(all.begin(), all.end(), named) == all.end()) all.push_back(named);
    }
  };
  for (const type* part : t->parts) {
    if (!t->is(type::kind::object)) {
      add(part);
    } else {
      for (const type* element : part->parts) add(element);
    }
  }
  return all;
}

}  // namespace abcl
