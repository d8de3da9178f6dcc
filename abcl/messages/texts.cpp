#include "abcl/messages/texts.hpp"

#include <algorithm>
#include <utility>

#include "abcl/messages/context.hpp"
#include "abcl/messages/effects.hpp"
#include "abcl/messages/leaving.hpp"
#include "abcl/messages/scripts.hpp"
#include "abcl/messages/values.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

// What an object of the class does before its script.
void begin(const context& at, const class_def& c) {
  for (std::size_t i = 0; i < c.state.size(); ++i) {
    // A new segment has zeros.
    if (c.initial[i] != nullptr) at.names.assign(*c.state[i], eval(at, *c.initial[i], c.state[i]->of));
  }
  run(at, c.body);
}

}  // namespace

void add_class_text(tables& to, const class_def& c, const role& in_program) {
  code::class_info& info = to.info(c);
  info.text = to.texts_made();
  text_builder out(to, std::string(c.name),
                   {.of_class = &c, .message = {}, .function = {}, .has_name = in_program.has_name});
  out.stand_at(c.name_where);
  out.text.interruptible = has_express_clauses(c);
  variables names(out);
  int word = info.first;
  for (const auto* list : {&c.arguments, &c.state}) {
    for (const variable* v : *list) {
      names.keep(*v, word, to.words_of(v->of));
      word += to.words_of(v->of);
    }
  }
  out.text.words = word;

  const creation_places placed(c);
  const context at{.program = to, .out = out, .names = names, .placed = placed, .of_class = &c, .answer = {}};
  out.enter(out.block("begin"));
  if (to.used.leaves) out.text.at_left = out.block("clause is left");
  begin(at, c);
  if (c.script != nullptr) {
    script(at, c);
  } else {
    if (in_program.is_start && exits_behind_body(c, &c)) out.act(code::service::exit, out.set(0));
    out.emit({.what = opcode::finish});
  }
  if (to.used.leaves) clause_is_left(at);
  to.add_text(std::move(out.text));
}

void add_function_text(tables& to, const function_def& f) {
  const home of{.of_class = nullptr, .message = {}, .function = std::string(f.name), .has_name = true};
  code::function_info& info = to.info(f);
  info.text = to.texts_made();
  info.site = to.site(f.name_where, of);
  text_builder out(to, std::string(f.name), of);
  out.stand_at(f.name_where);
  out.text.of_function = true;
  variables names(out);
  const creation_places placed;  // a function creates nothing
  const context at{.program = to, .out = out, .names = names, .placed = placed, .answer = {}};
  out.enter(out.block("begin"));
  int word = 0;
  for (const variable* v : f.arguments) {
    values loaded;
    for (int i = 0; i < to.words_of(v->of); ++i) loaded.push_back(out.load(code::frame, word++));
    names.bind(*v, loaded);
  }
  const int results = to.words_of(f.result);
  out.text.words = std::max(word, results);
  for (std::size_t i = 0; i + 1 < f.body.size(); ++i) effect(at, *f.body[i]);
  if (!f.body.empty()) {
    const values v = eval(at, *f.body.back(), f.result);
    for (std::size_t i = 0; i < v.size() && static_cast<int>(i) < results; ++i)
      out.emit({.what = opcode::give_result, .a = v[i], .k = static_cast<std::int64_t>(i)});
  }
  out.emit({.what = opcode::leave});
  to.add_text(std::move(out.text));
}

}  // namespace abcl::messages
