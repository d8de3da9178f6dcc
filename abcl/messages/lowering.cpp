// The program as a whole, and each text: what is counted and numbered, and the instructions that all parts write.
#include "abcl/messages/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abcl/check/analysis.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl {

using code::opcode;

code::program to_messages(const program& p, const sources& texts, const class_def& start) {
  return lowering(p, texts, start).all();
}

lowering::lowering(const program& p, const sources& texts, const class_def& start)
    : of_(p), texts_(texts), start_(start) {}

code::program more_messages(const program& p, const sources& texts, const class_def& start, int start_number,
                            growing& so_far) {
  return lowering(p, texts, start).more(start_number, so_far);
}

code::program lowering::all() {
  find_what_is_used();
  for (const class_def& c : of_.classes) class_numbers_[&c] = static_cast<int>(class_numbers_.size());
  for (const function_def& f : of_.functions) function_numbers_[&f] = static_cast<int>(function_numbers_.size());
  headers();
  for (const class_def& c : of_.classes) class_text(c);
  for (const function_def& f : of_.functions) function_text(f);
  out_.start = class_numbers_.at(&start_);
  // The words of the command line are an array of texts.
  if (!start_.arguments.empty() && start_.arguments.back()->of->is(type::kind::array)) layout_number(code::layout{1});
  for (const variable* v : start_.arguments) {
    out_.start_arguments.push_back(v->of->is(type::kind::integer) ? 'i'
                                   : v->of->is(type::kind::real)  ? 'f'
                                   : v->of->is(type::kind::array) ? 'a'
                                                                  : 's');
  }
  return std::move(out_);
}

code::program lowering::more(int start_number, growing& so_far) {
  wide_ = nil_replies_ = future_replies_ = leaves_ = true;
  start_has_name_ = false;
  number_from(so_far);
  out_.express = true;
  const auto number_all = [](const auto& all, auto& numbers, auto& infos) {
    std::vector<decltype(&all.front())> fresh;
    for (const auto& each : all) {
      if (numbers.contains(&each)) continue;
      numbers[&each] = static_cast<int>(infos.size());
      infos.emplace_back();
      fresh.push_back(&each);
    }
    return fresh;
  };
  class_numbers_[&start_] = start_number;
  std::vector<const class_def*> classes = number_all(of_.classes, class_numbers_, out_.classes);
  classes.push_back(&start_);
  const std::vector<const function_def*> functions = number_all(of_.functions, function_numbers_, out_.functions);
  headers();
  for (code::class_info& c : out_.classes) c.text = -1;
  for (code::function_info& f : out_.functions) f.text = -1;
  for (const class_def* c : classes) class_text(*c);
  for (const function_def* f : functions) function_text(*f);
  out_.start = start_number;
  class_numbers_.erase(&start_);
  so_far.classes = std::move(class_numbers_);
  so_far.functions = std::move(function_numbers_);
  so_far.tables = out_;
  so_far.tables.texts.clear();
  so_far.known = std::move(known_);
  return std::move(out_);
}

// Takes what the tables are found by; more() gives it back, unless it fails. Then it is made again.
void lowering::number_from(growing& so_far) {
  out_ = so_far.tables;
  class_numbers_ = so_far.classes;
  function_numbers_ = so_far.functions;
  known_ = std::exchange(so_far.known, {});
  const auto number_all = [](const auto& all, auto& numbers, auto key_of) {
    if (!numbers.empty()) return;
    for (std::size_t i = 0; i < all.size(); ++i) numbers.emplace(key_of(all[i]), static_cast<int>(i));
  };
  number_all(out_.selectors, known_.selectors, [](const code::selector_info& s) { return s.key; });
  number_all(out_.strings, known_.texts, [](const std::string& s) { return s; });
  number_all(out_.layouts, known_.layouts, [](const code::layout& l) { return l; });
  number_all(out_.sites, known_.sites,
             [](const code::site_info& s) { return std::pair(s.line, s.file + '\n' + s.of_class + '\n' + s.message); });
}

void lowering::headers() {
  out_.classes.resize(std::max(out_.classes.size(), class_numbers_.size()));
  out_.functions.resize(std::max(out_.functions.size(), function_numbers_.size()));
  for (const class_def& c : of_.classes) {
    code::class_info& info = out_.classes[static_cast<std::size_t>(class_numbers_[&c])];
    info = {};
    info.name = c.name;
    info.first = leaves_                  ? code::words::leaving_object
                 : has_express_clauses(c) ? code::words::express_object
                                          : code::words::plain_object;
    for (const variable* v : c.arguments) info.arguments += words_of(v->of);
    info.state = info.arguments;
    for (const variable* v : c.state) info.state += words_of(v->of);
  }
  for (const function_def& f : of_.functions) {
    code::function_info& info = out_.functions[static_cast<std::size_t>(function_numbers_[&f])];
    info = {};
    info.name = f.name;
    for (const variable* v : f.arguments) info.arguments += words_of(v->of);
    info.results = words_of(f.result);
  }
}

bool lowering::holds_names(const type* t) const {
  if (t->is(type::kind::reply)) return true;
  return t->is(type::kind::message) &&
         std::any_of(t->parts.begin(), t->parts.end(), [&](const type* part) { return holds_names(part); });
}

// What no destination of the program can be need not be tested for where it is replied to.
void lowering::find_what_is_used() {
  wide_ = !of_.types.replied_to_objects().empty();
  walk(of_, [&](const expression& e) {
    switch (e.what) {
      case op::future:
      case op::make_future:
        future_replies_ = true;
        break;
      case op::nil:
        nil_replies_ = true;
        break;
      case op::non_resume:
        leaves_ = true;
        break;
      case op::now:
      case op::past: {
        const auto& send = as<tree::send>(e);
        out_.express |= send.express;
        nil_replies_ |= send.drops_reply();
        break;
      }
      case op::let:
        for (const auto& [v, first] : as<tree::let>(e).variables)
          nil_replies_ |= first == nullptr && holds_names(v->of);
        break;
      default:
        break;
    }
    return true;
  });
  for (const class_def& c : of_.classes) {
    for (std::size_t i = 0; i < c.state.size(); ++i)
      nil_replies_ |= c.initial[i] == nullptr && holds_names(c.state[i]->of);
  }
}

int lowering::words_of(const type* t) const { return abcl::words_of(t, wide_); }

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

code::layout lowering::layout_of(const type* t) {
  if (t->is(type::kind::text)) return {1};
  if (t->is(type::kind::array)) return {layout_number(t->of()) + 2};
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

std::string lowering::words_for_people(const type* t) const {
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
      for (const type* part : t->parts) all += words_for_people(part);
      return all;
    }
    default: {
      std::string all(static_cast<std::size_t>(words_of(t)), code::notes::no_value);
      if (!all.empty()) all.front() = code::notes::object;
      return all;
    }
  }
}

// That of an array's elements; such types have no circles.
int lowering::layout_number(const type* element) { return layout_number(layout_of(element)); }

int lowering::layout_number(const code::layout& l) {
  const auto [found, added] = known_.layouts.emplace(l, static_cast<int>(out_.layouts.size()));
  if (added) out_.layouts.push_back(l);
  return found->second;
}

int lowering::number_of_text(const std::string& text) {
  const auto [found, added] = known_.texts.emplace(text, static_cast<int>(out_.strings.size()));
  if (added) out_.strings.push_back(text);
  return found->second;
}

int lowering::selector_of(std::string_view tag, std::size_t elements, const std::string& shown, int words, bool asks) {
  const std::string key = fmt::format("{}/{}", tag, elements);
  const auto [found, added] = known_.selectors.emplace(key, static_cast<int>(out_.selectors.size()));
  if (added) out_.selectors.push_back({shown, words, asks, key});
  return found->second;
}

int lowering::selector_of(const type* message) {
  return selector_of(message->name, message->parts.size(), shown(message), words_of(message), message->wants_reply());
}

int lowering::site(span where) {
  // Most instructions stand where the one before does.
  if (last_.number >= 0 && last_.where == where && last_.of == class_ && last_.message == message_ &&
      last_.function == function_)
    return last_.number;
  const source& from = texts_.of(where);
  const bool has_name = class_ != &start_ || start_has_name_;
  code::site_info s{from.name(), from.place_of(where.begin).line,
                    class_ == nullptr ? function_
                    : has_name        ? std::string(class_->name)
                                      : std::string(),
                    message_};
  const std::string rest = s.file + '\n' + s.of_class + '\n' + s.message;
  const auto [found, added] = known_.sites.emplace(std::pair(s.line, rest), static_cast<int>(out_.sites.size()));
  if (added) out_.sites.push_back(std::move(s));
  last_ = {found->second, where, class_, message_, function_};
  return last_.number;
}

// ---- a text

int lowering::block(std::string note) {
  text_->blocks.push_back({std::move(note), express_clause_, {}});
  return static_cast<int>(text_->blocks.size()) - 1;
}

void lowering::emit(step s) {
  if (s.site < 0 && where_.end != 0) s.site = site(where_);
  text_->blocks[static_cast<std::size_t>(current_)].steps.push_back(s);
}

void lowering::jump(int to) { emit({.what = opcode::jump, .t = to}); }

void lowering::end_here(step s) {
  emit(s);
  enter(block());
}

lowering::value lowering::set(std::int64_t k) {
  const value d = fresh();
  emit({.what = opcode::set, .d = d, .k = k});
  return d;
}

void lowering::branch_if(opcode what, value a, std::int64_t k, int yes, int no) {
  emit({.what = what, .a = a, .k = k, .t = yes, .u = no});
}

lowering::value lowering::moved(value v) {
  const value d = fresh();
  emit({.what = opcode::move, .d = d, .a = v});
  return d;
}

lowering::value lowering::compute(opcode what, value a, value b) {
  const value d = fresh();
  emit({.what = what, .d = d, .a = a, .b = b});
  return d;
}

lowering::value lowering::load(value from, int k) {
  const value d = fresh();
  emit({.what = opcode::load, .d = d, .a = from, .k = k});
  return d;
}

void lowering::store(value to, int k, value v) { emit({.what = opcode::store, .a = to, .b = v, .k = k}); }

lowering::value lowering::service(code::service what, value a, value b, int u, bool has_value) {
  const value d = has_value ? fresh() : code::none;
  emit({.what = opcode::service, .d = d, .a = a, .b = b, .k = static_cast<std::int64_t>(what), .u = u});
  return d;
}

// ---- classes and functions

void lowering::class_text(const class_def& c) {
  const int number = class_numbers_.at(&c);
  code::class_info& info = out_.classes[static_cast<std::size_t>(number)];
  info.text = static_cast<int>(out_.texts.size());
  code::text made;
  made.name = c.name;
  text_ = &made;
  class_ = &c;
  next_value_ = 0;
  locals_.clear();
  words_.clear();
  boxes_.clear();
  answer_ = {};
  message_.clear();
  open_boxes_ = creations_ = loops_ = 0;
  express_clause_ = false;
  where_ = c.name_where;

  made.interruptible = has_express_clauses(c);
  int at = info.first;
  for (const auto* list : {&c.arguments, &c.state}) {
    for (const variable* v : *list) {
      words_[v] = at;
      at += words_of(v->of);
    }
  }
  made.words = at;

  enter(block("begin"));
  if (leaves_) made.at_left = block("clause is left");
  for (std::size_t i = 0; i < c.state.size(); ++i) {
    // A new segment has zeros.
    if (c.initial[i] != nullptr) assign(*c.state[i], eval(*c.initial[i], c.state[i]->of));
  }
  run(c.body);
  if (c.script != nullptr) {
    creations_ = 0;
    script(c);
  } else {
    if (exits_behind_body(c, &start_)) {
      const value zero = set(0);
      service(code::service::exit, zero, code::none, -1, false);
    }
    emit({.what = opcode::finish});
  }
  if (leaves_) clause_is_left();
  out_.texts.push_back(std::move(made));
  text_ = nullptr;
  class_ = nullptr;
}

void lowering::function_text(const function_def& f) {
  const int number = function_numbers_.at(&f);
  out_.functions[static_cast<std::size_t>(number)].text = static_cast<int>(out_.texts.size());
  code::text made;
  made.name = f.name;
  made.of_function = true;
  text_ = &made;
  class_ = nullptr;
  next_value_ = 0;
  locals_.clear();
  words_.clear();
  function_ = f.name;
  open_boxes_ = creations_ = loops_ = 0;
  express_clause_ = false;
  where_ = f.name_where;
  out_.functions[static_cast<std::size_t>(number)].site = site(where_);
  enter(block("begin"));
  int at = 0;
  for (const variable* v : f.arguments) {
    values loaded;
    for (int i = 0; i < words_of(v->of); ++i) loaded.push_back(load(code::frame, at++));
    bind(*v, loaded);
  }
  const int results = words_of(f.result);
  made.words = std::max(at, results);
  for (std::size_t i = 0; i + 1 < f.body.size(); ++i) effect(*f.body[i]);
  if (!f.body.empty()) {
    const values v = eval(*f.body.back(), f.result);
    for (std::size_t i = 0; i < v.size() && static_cast<int>(i) < results; ++i)
      emit({.what = opcode::give_result, .a = v[i], .k = static_cast<std::int64_t>(i)});
  }
  emit({.what = opcode::leave});
  out_.texts.push_back(std::move(made));
  text_ = nullptr;
  function_.clear();
}

}  // namespace abcl
