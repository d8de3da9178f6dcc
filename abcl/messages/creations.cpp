#include "abcl/messages/creations.hpp"

#include "abcl/messages/boxes.hpp"
#include "abcl/messages/values.hpp"

namespace abcl::messages {

using code::opcode;

values create(const context& at, const tree::create& e) {
  const class_def& c = *e.of_class;
  const int number = at.program.number_of(c);
  const std::size_t given = c.arguments.size();
  at.out.stand_at(e.where);
  const value node = at.out.fresh();
  values first;  // the arguments, where a node is named: they come first, since it may depend on what they do
  if (e.node != nullptr) {
    for (std::size_t i = 0; i < given; ++i) {
      const values v = eval(at, *e.arguments[i], c.arguments[i]->of);
      first.insert(first.end(), v.begin(), v.end());
    }
    const value named = eval(at, *e.node)[0];
    at.out.stand_at(e.where);
    at.out.emit({.what = opcode::node_at, .d = node, .a = named});
  } else if (const std::optional<int> which = at.placed.neighbour_of(e)) {
    at.out.emit({.what = opcode::neighbour, .d = node, .k = *which});
  } else {
    at.out.emit({.what = opcode::neighbours, .d = node});
  }
  const value object = at.out.fresh();
  const int created = at.out.block();
  at.out.emit({.what = opcode::create, .d = object, .a = node, .k = number, .t = created});
  at.out.enter(created);
  const int begin = at.program.info(c).first;
  int word = begin;
  for (std::size_t i = 0; i < given; ++i) {
    const type* const of = c.arguments[i]->of;
    values v;
    if (e.node != nullptr) {
      const auto in_first = first.begin() + (word - begin);
      v.assign(in_first, in_first + at.program.words_of(of));
    } else {
      v = eval(at, *e.arguments[i], of);
    }
    put_all(at, object, word, v, of);
    word += at.program.words_of(of);
  }
  at.out.stand_at(e.where);
  at.out.emit({.what = opcode::start, .a = object, .u = number});
  if (at.program.used.wide) return {object, at.out.set(0)};
  return {object};
}

}  // namespace abcl::messages
