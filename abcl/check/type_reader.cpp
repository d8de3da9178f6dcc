#include "abcl/check/type_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "abcl/check/limits.hpp"

namespace abcl {

namespace {

// Counts the type and all that it consists of, as often as they are there; not many more than `most`.
std::size_t parts_of(const type* t, std::size_t most) {
  std::size_t count = 1;
  for (auto part = t->parts.begin(); part != t->parts.end() && count <= most; ++part)
    count += parts_of(*part, most - count);
  return count;
}

bool has_unknown_part(const type* t) {
  return t->is_error() || std::any_of(t->parts.begin(), t->parts.end(), has_unknown_part);
}

}  // namespace

void type_reader::add(const std::vector<alias_text>& names) {
  for (const alias_text& each : names) aliases_[each.of].from = each.from;
  for (const alias_text& each : names) meaning_of(*each.of);
}

const type* type_reader::meaning_of(type_alias& a) {
  if (a.of != nullptr) return a.of;
  alias_in_work& work = aliases_.at(&a);
  if (work.being_read) {
    said_.error(38, a.name_where, fmt::format("`{}` stands for a type that has it as a part", a.name), "itself")
        .help.push_back("a class may be named in its own interface; a type is named by what it consists of");
    return a.of = types_.unknown;
  }
  const int errors = said_.errors();
  const type* of = types_.unknown;
  if (nested_names_ == most_nested_names) {
    said_.error(25, a.name_where, fmt::format("more than {} names of types lead to each other", most_nested_names),
                "one of them");
  } else {
    work.being_read = true;
    ++nested_names_;
    const form& meant = work.from->parts[2];
    of = meant.is_form("obj") ? interface_of(meant, &work.messages) : type_of(meant);
    --nested_names_;
    if (said_.errors() == errors) require_moderate(a, of);
  }
  // Nothing follows from an error: where the name stands, nothing is known.
  a.of = said_.errors() == errors && !has_unknown_part(of) ? of : types_.unknown;
  types_.give_name(a.of, a.name);
  return a.of;
}

void type_reader::require_moderate(const type_alias& a, const type* of) {
  if (parts_of(of, most_parts_of_type) <= most_parts_of_type) return;
  said_.error(25, a.name_where, fmt::format("`{}` stands for a type of more than {} parts", a.name, most_parts_of_type),
              "too large");
}

bool type_reader::is_alias(const form& f) const {
  return f.is(form::kind::symbol) && program_.find_alias(f.word) != nullptr;
}

const type* type_reader::type_of(const form& f) {
  using kind = form::kind;
  if (f.is(kind::square)) return message_of(f);
  if (f.is(kind::symbol)) return named(f);
  if (f.is(kind::round) && f.begins_with("obj")) return interface_of(f, nullptr);
  if (f.is(kind::round) && f.parts.size() == 2) {
    if (f.begins_with("@")) return types_.reply(type_of(f.parts[1]));
    if (f.begins_with("array")) return types_.array(type_of(f.parts[1]));
    if (f.begins_with("future")) return types_.future(type_of(f.parts[1]));
  }
  said_.error(15, f.where, "a type is expected", "this is none")
      .help.push_back(
          "types are Int, Float, Bool, Str, a class, a name of a type, (obj [message ...] ...), (@ T), (array T), "
          "(future T) and [:tag T ...]");
  return types_.unknown;
}

const type* type_reader::named(const form& f) {
  if (f.word == "Int") return types_.integer;
  if (f.word == "Float") return types_.real;
  if (f.word == "Bool") return types_.boolean;
  if (f.word == "Str") return types_.text;
  if (class_def* const c = program_.find_class(f.word)) {
    c->uses.push_back(f.where);
    return c->of;
  }
  if (type_alias* const a = program_.find_alias(f.word)) {
    a->uses.push_back(f.where);
    return meaning_of(*a);
  }
  if (told_.insert(f.word).second) say_unknown(f);
  return types_.unknown;
}

void type_reader::say_unknown(const form& f) {
  static const std::map<std::string_view, const char*> others = {
      {"String", "Str"},   {"string", "Str"},  {"Integer", "Int"},  {"int", "Int"},
      {"Boolean", "Bool"}, {"bool", "Bool"},   {"Double", "Float"}, {"double", "Float"},
      {"Real", "Float"},   {"float", "Float"}, {"Number", "Float"}};
  diagnostic& d = said_.error(33, f.where, fmt::format("there is no type `{}`", f.word), "not known");
  if (const auto other = others.find(f.word); other != others.end()) {
    d.help.push_back(fmt::format("`{}` is meant", other->second));
    return;
  }
  std::vector<std::string> known{"Int", "Float", "Bool", "Str"};
  for (const class_def& c : program_.classes) known.emplace_back(c.name);
  for (const type_alias& a : program_.aliases) known.emplace_back(a.name);
  if (const std::string meant = nearest(f.word, known); !meant.empty())
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
}

const type* type_reader::message_of(const form& f) {
  const bool tagged = !f.parts.empty() && f.parts[0].is(form::kind::tag);
  std::vector<const type*> elements;
  for (std::size_t i = tagged ? 1 : 0; i < f.parts.size(); ++i) elements.push_back(type_of(f.parts[i]));
  return types_.message(tagged ? f.parts[0].word : std::string_view(), std::move(elements));
}

namespace {

bool has_future(const type* t) {
  if (t->is(type::kind::future)) return true;
  const bool holds = t->is(type::kind::message) || t->is(type::kind::array) || t->is(type::kind::reply);
  return holds && std::any_of(t->parts.begin(), t->parts.end(), has_future);
}

}  // namespace

void type_reader::expect_travels(const type* t, const form& f) {
  if (!has_future(t)) return;
  said_.error(63, f.where, "a future stays with the object that has made it", "it cannot be sent")
      .help.push_back("send a reply destination (@ T) instead, or the value");
}

const type* type_reader::interface_of(const form& f, std::vector<std::pair<const type*, span>>* places) {
  std::vector<const type*> messages;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    if (f.parts[i].is(form::kind::square)) {
      messages.push_back(message_of(f.parts[i]));
      if (places != nullptr) places->emplace_back(messages.back(), f.parts[i].where);
    } else {
      diagnostic& d =
          said_.error(15, f.parts[i].where, "an interface consists of messages", "[:tag Type ...] is expected");
      if (is_alias(f.parts[i])) d.help.push_back("messages are written out there, without a name for their type");
    }
  }
  if (f.parts.size() == messages.size() + 1) {
    for (std::size_t i = 0; i < messages.size(); ++i) expect_travels(messages[i], f.parts[i + 1]);
  }
  tell_apart(messages, f);
  return types_.object(std::move(messages));
}

const type* type_reader::named_interface(const form& f, std::vector<std::pair<const type*, span>>* places) {
  const type* const of = named(f);
  if (!of->is(type::kind::object)) {
    if (!of->is_error())
      said_.error(15, f.where, "the interface of a class is an object type",
                  fmt::format("this is {}", written_out(of)));
    return types_.unknown;
  }
  // The name may stand for another one.
  const alias_in_work* a = &aliases_.at(program_.find_alias(f.word));
  while (is_alias(a->from->parts[2])) a = &aliases_.at(program_.find_alias(a->from->parts[2].word));
  *places = a->messages;
  return of;
}

void type_reader::tell_apart(std::vector<const type*>& messages, const form& f) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool alike =
          messages[i]->name == messages[j]->name && messages[i]->parts.size() == messages[j]->parts.size();
      if (!alike || messages[i] == messages[j]) continue;
      said_.error(23, f.where,
                  fmt::format("{} and {} cannot be told apart", written_out(messages[j]), written_out(messages[i])),
                  "messages of an interface differ in their tag or in the number of their elements");
      messages[i] = messages[j] =
          types_.message(messages[i]->name, std::vector<const type*>(messages[i]->parts.size(), types_.unknown));
    }
  }
}

}  // namespace abcl
