#include "abcl/messages/text_builder.hpp"

namespace abcl::messages {

using code::opcode;

int text_builder::block(std::string note) {
  text.blocks.push_back({std::move(note), in_express_, {}});
  return static_cast<int>(text.blocks.size()) - 1;
}

void text_builder::emit(step s) {
  if (s.site < 0 && where_.end != 0) s.site = program_.site(where_, home_);
  text.blocks[static_cast<std::size_t>(current_)].steps.push_back(s);
}

void text_builder::emit_wait(step s, std::string what, bool asks) {
  s.site = program_.site(where_, home_, {std::move(what), asks, in_express_});
  emit(s);
}

value text_builder::make(step s) {
  s.d = fresh();
  emit(s);
  return s.d;
}

void text_builder::end_here(step s) {
  emit(s);
  enter(block());
}

void text_builder::branch_if(opcode what, value a, std::int64_t k, int yes, int no) {
  emit({.what = what, .a = a, .k = k, .t = yes, .u = no});
}

value text_builder::service(code::service what, value a, value b, int u) {
  return make({.what = opcode::service, .a = a, .b = b, .k = static_cast<std::int64_t>(what), .u = u});
}

void text_builder::act(code::service what, value a, value b, int u) {
  emit({.what = opcode::service, .a = a, .b = b, .k = static_cast<std::int64_t>(what), .u = u});
}

void text_builder::fail(const std::string& words) { emit({.what = opcode::fail, .k = program_.text(words)}); }

void text_builder::name(value v, std::string_view of) {
  if (text.notes.size() < static_cast<std::size_t>(next_value_))
    text.notes.resize(static_cast<std::size_t>(next_value_));
  text.notes[static_cast<std::size_t>(v)] = of;
}

}  // namespace abcl::messages
