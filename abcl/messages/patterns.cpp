#include "abcl/messages/patterns.hpp"

#include "abcl/messages/operators.hpp"
#include "abcl/messages/values.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

values elements_of(const context& at, const clause& c, std::size_t i, value box) {
  int word = words::first;
  for (std::size_t k = 0; k < i; ++k) word += at.program.words_of(c.takes->parts[k]);
  values all;
  for (int k = 0; k < at.program.words_of(c.takes->parts[i]); ++k) all.push_back(at.out.load(box, word + k));
  return all;
}

void require_equal(const context& at, const values& v, const expression& literal, const type* of, int no) {
  const value same = compared(at, operation::equal, of, v, eval(at, literal, of));
  const int next = at.out.block();
  at.out.branch_if(opcode::if_unequal, same, 0, next, no);
  at.out.enter(next);
}

void test(const context& at, const clause& c, value box, int no) {
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    if (c.pattern[i].literal == nullptr) continue;
    require_equal(at, elements_of(at, c, i, box), *c.pattern[i].literal, c.takes->parts[i], no);
  }
  if (c.guard == nullptr) return;
  for (std::size_t i = 0; i < c.pattern.size(); ++i) {
    if (c.pattern[i].bound != nullptr) at.names.bind(*c.pattern[i].bound, elements_of(at, c, i, box));
  }
  const int next = at.out.block();
  condition(at, *c.guard, next, no);
  at.out.enter(next);
}

}  // namespace abcl::messages
