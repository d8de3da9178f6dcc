#include "abcl/messages/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "abcl/resolve/script.hpp"

namespace abcl {

int words_of(const type* t, bool wide) {
  switch (t->what) {
    case type::kind::integer:
    case type::kind::real:
    case type::kind::boolean:
    case type::kind::text:
    case type::kind::array:
    case type::kind::future:
      return 1;
    case type::kind::object:
    case type::kind::a_class:
    case type::kind::nil:
      return wide ? 2 : 1;
    case type::kind::reply:
      return 2;
    case type::kind::message: {
      int all = 0;
      for (const type* part : t->parts) all += words_of(part, wide);
      return all;
    }
    case type::kind::unknown:
    case type::kind::nothing:
      break;
  }
  return 0;
}

namespace messages {
namespace {

// What finds the entries of a table, where nothing does yet.
void number_all(const auto& all, auto& numbers, auto key_of) {
  if (!numbers.empty()) return;
  for (std::size_t i = 0; i < all.size(); ++i) numbers.emplace(key_of(all[i]), static_cast<int>(i));
}

std::string site_key(const code::site_info& s) {
  return fmt::format("{}\n{}\n{}\n{} {} {}", s.file, s.of_class, s.message, s.wait.what, s.wait.asks, s.wait.express);
}

std::string row_key(const code::selector_info& s) { return fmt::format("{} {} {} {}", s.key, s.words, s.asks, s.name); }

// Gives numbers to those of `all` that have none, and a row of `infos` each.
template <class Definitions>
auto number_new(const Definitions& all, auto& numbers, auto& infos) {
  std::vector<const typename Definitions::value_type*> added;
  for (const auto& each : all) {
    if (numbers.contains(&each)) continue;
    numbers[&each] = static_cast<int>(infos.size());
    infos.emplace_back();
    added.push_back(&each);
  }
  return added;
}

char start_argument(const type* t) {
  switch (t->what) {
    case type::kind::integer:
      return 'i';
    case type::kind::real:
      return 'f';
    case type::kind::array:
      return 'a';
    default:
      return 's';
  }
}

}  // namespace

tables::tables(const sources& texts, const uses& used_by) : used(used_by), texts_(texts) {
  made_.express = used.express;
}

tables::tables(const sources& texts, const uses& used_by, growing& so_far)
    : used(used_by),
      texts_(texts),
      made_(so_far.tables),
      known_(std::exchange(so_far.known, {})),
      classes_(so_far.classes),
      functions_(so_far.functions) {
  made_.express = used.express;
  number_all(made_.selectors, known_.kinds, [](const code::selector_info& s) { return s.key; });
  number_all(made_.selectors, known_.selectors, [](const code::selector_info& s) { return row_key(s); });
  number_all(made_.strings, known_.texts, [](const std::string& s) { return s; });
  number_all(made_.layouts, known_.layouts, [](const code::layout& l) { return l; });
  number_all(made_.sites, known_.sites, [](const code::site_info& s) { return std::pair(s.line, site_key(s)); });
}

void tables::return_to(growing& so_far) {
  so_far.classes = std::move(classes_);
  so_far.functions = std::move(functions_);
  so_far.tables = made_;
  so_far.tables.texts.clear();
  so_far.known = std::move(known_);
}

std::vector<const class_def*> tables::number_classes(const program& p) {
  return number_new(p.classes, classes_, made_.classes);
}

std::vector<const function_def*> tables::number_functions(const program& p) {
  return number_new(p.functions, functions_, made_.functions);
}

void tables::describe(const program& p) {
  made_.classes.resize(std::max(made_.classes.size(), classes_.size()));
  made_.functions.resize(std::max(made_.functions.size(), functions_.size()));
  for (const class_def& c : p.classes) {
    code::class_info& of = info(c);
    of = {};
    of.name = c.name;
    of.first = used.leaves              ? code::words::leaving_object
               : has_express_clauses(c) ? code::words::express_object
                                        : code::words::plain_object;
    for (const variable* v : c.arguments) of.arguments += words_of(v->of);
    of.state = of.arguments;
    for (const variable* v : c.state) of.state += words_of(v->of);
    for (const auto* list : {&c.arguments, &c.state}) {
      for (const variable* v : *list) of.refers += refers_of(v->of);
    }
  }
  for (const function_def& f : p.functions) {
    code::function_info& of = info(f);
    of = {};
    of.name = f.name;
    for (const variable* v : f.arguments) of.arguments += words_of(v->of);
    of.results = words_of(f.result);
  }
  for (code::class_info& c : made_.classes) c.text = -1;
  for (code::function_info& f : made_.functions) f.text = -1;
}

void tables::start_with(const class_def& start) {
  start_at(number_of(start));
  // The words of the command line are an array of texts.
  if (!start.arguments.empty() && start.arguments.back()->of->is(type::kind::array)) layout_of_texts();
  for (const variable* v : start.arguments) made_.start_arguments.push_back(start_argument(v->of));
}

int tables::text(const std::string& of) {
  const auto [found, added] = known_.texts.emplace(of, static_cast<int>(made_.strings.size()));
  if (added) made_.strings.push_back(of);
  return found->second;
}

// Types have no circles.
code::layout tables::layout_of(const type* t) {
  if (t->is(type::kind::text)) return {1};
  if (t->is(type::kind::array)) return {layout_of_elements(t->of()) + 2};
  if (t->is(type::kind::message)) {
    code::layout all;
    for (const type* part : t->parts) {
      const code::layout l = layout_of(part);
      all.insert(all.end(), l.begin(), l.end());
    }
    return all;
  }
  return code::layout(static_cast<std::size_t>(words_of(t)), 0);
}

int tables::number_of(const code::layout& l) {
  const auto [found, added] = known_.layouts.emplace(l, static_cast<int>(made_.layouts.size()));
  if (added) made_.layouts.push_back(l);
  return found->second;
}

// The second word of a destination is a box of the object that the first one names.
std::string tables::refers_of(const type* t) const {
  std::string all;
  switch (t->what) {
    case type::kind::object:
    case type::kind::a_class:
    case type::kind::nil:
    case type::kind::reply:
      all.assign(static_cast<std::size_t>(words_of(t)), ' ');
      all.front() = 'o';
      return all;
    case type::kind::array:
      return refers_of(t->of()).find_first_not_of(' ') == std::string::npos ? " " : "a";
    case type::kind::message:
      for (const type* part : t->parts) all += refers_of(part);
      return all;
    default:
      return std::string(static_cast<std::size_t>(words_of(t)), ' ');
  }
}

std::string tables::notes_of(const type* t) const {
  switch (t->what) {
    case type::kind::integer:
      return {code::notes::integer};
    case type::kind::real:
      return {code::notes::real};
    case type::kind::boolean:
      return {code::notes::boolean};
    case type::kind::future:
      return {code::notes::future};
    case type::kind::reply:
      return {code::notes::reply_destination, code::notes::reply_destination};
    case type::kind::message: {
      std::string all;
      for (const type* part : t->parts) all += notes_of(part);
      return all;
    }
    default: {
      std::string all(static_cast<std::size_t>(words_of(t)), code::notes::no_value);
      if (!all.empty()) all.front() = code::notes::object;
      return all;
    }
  }
}

int tables::selector(std::string_view tag, std::size_t elements, const std::string& shown, int words, bool asks,
                     span where) {
  code::selector_info row{shown, words, asks, fmt::format("{}/{}", tag, elements)};
  const int next = static_cast<int>(made_.selectors.size());
  const auto [found, added] = known_.selectors.emplace(row_key(row), next);
  if (!added) return found->second;
  if (next == code::most_selectors) {
    const source& from = texts_.of(where);
    throw std::length_error(fmt::format("{}:{}: expected {} types of messages at most in a program; {} is one more",
                                        from.name(), from.place_of(where.begin).line, code::most_selectors, shown));
  }
  row.kind = known_.kinds.emplace(row.key, next).first->second;
  made_.selectors.push_back(std::move(row));
  return next;
}

int tables::kind_of(const type* message, span where) {
  return made_.selectors[static_cast<std::size_t>(selector(message, where))].kind;
}

int tables::selector(const type* message, span where) {
  return selector(message->name, message->parts.size(), spelled(message), words_of(message), message->wants_reply(),
                  where);
}

int tables::reply_selector(const type* reply, span where) {
  if (reply->is(type::kind::message))
    return selector(reply->name, reply->parts.size(), spelled(reply), words_of(reply), false, where);
  return selector("", 1, '[' + spelled(reply) + ']', words_of(reply), false, where);
}

int tables::site(span where, const home& of) {
  // Most instructions stand where the one before does.
  if (last_site_ < 0 || last_where_ != where || last_home_ != of) {
    last_site_ = site(where, of, {});
    last_where_ = where;
    last_home_ = of;
  }
  return last_site_;
}

int tables::site(span where, const home& of, code::wait_info wait) {
  const source& from = texts_.of(where);
  code::site_info s{from.name(), from.place_of(where.begin).line,
                    of.of_class == nullptr ? of.function
                    : of.has_name          ? std::string(of.of_class->name)
                                           : std::string(),
                    of.message, std::move(wait)};
  const auto [found, added] =
      known_.sites.emplace(std::pair(s.line, site_key(s)), static_cast<int>(made_.sites.size()));
  if (added) made_.sites.push_back(std::move(s));
  return found->second;
}

}  // namespace messages
}  // namespace abcl
