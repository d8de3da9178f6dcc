#include "abcl/messages/written_texts.hpp"

#include "abcl/messages/values.hpp"

namespace abcl::messages {

using code::opcode;

namespace {

void append_literal(const context& at, const std::string& text) {
  const value d = at.out.make({.what = opcode::text, .k = at.program.text(text)});
  at.out.act(code::service::append_text, d);
}

// The words of `v` from `next` on, which have type `t`.
void append(const context& at, const type* t, const values& v, std::size_t& next) {
  const auto one = [&](code::service what) { at.out.act(what, v[next++]); };
  switch (t->what) {
    case type::kind::integer:
      return one(code::service::append_int);
    case type::kind::real:
      return one(code::service::append_real);
    case type::kind::boolean:
      return one(code::service::append_bool);
    case type::kind::text:
      return one(code::service::append_text);
    case type::kind::array:
      return one(code::service::append_array);
    case type::kind::message:
      append_literal(at, "[");
      for (std::size_t i = 0; i < t->parts.size(); ++i) {
        if (i != 0) append_literal(at, " ");
        append(at, t->parts[i], v, next);
      }
      return append_literal(at, "]");
    case type::kind::object:
    case type::kind::a_class:
    case type::kind::reply:
    case type::kind::nil: {
      const bool two = at.program.words_of(t) == 2;
      at.out.act(code::service::append_name, v[next], two ? v[next + 1] : code::none);
      next += two ? 2 : 1;
      return;
    }
    default:
      return;
  }
}

}  // namespace

void text_of(const context& at, const expressions& parts, bool spaced) {
  std::vector<values> all;
  for (const expression_ptr& part : parts) all.push_back(eval(at, *part));
  at.out.act(code::service::begin_text);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0 && spaced) append_literal(at, " ");
    std::size_t next = 0;
    if (parts[i]->of->is(type::kind::message) && parts[i]->of->parts.empty()) {
      append_literal(at, "[]");
    } else {
      append(at, parts[i]->of, all[i], next);
    }
  }
}

}  // namespace abcl::messages
