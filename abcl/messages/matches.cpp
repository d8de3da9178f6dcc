#include "abcl/messages/matches.hpp"

#include "abcl/messages/branches.hpp"
#include "abcl/messages/operators.hpp"
#include "abcl/messages/patterns.hpp"
#include "abcl/messages/values.hpp"

namespace abcl::messages {

void match(const context& at, const tree::match& e, const type* want, const values& result, int after) {
  const type* const of = e.value->of;
  const values v = eval(at, *e.value);
  // Where each element begins; a value that is no tuple is one.
  std::vector<const type*> types = of->is(type::kind::message) ? of->parts : std::vector<const type*>{of};
  std::vector<values> elements;
  std::size_t next_word = 0;
  for (const type* t : types) {
    const auto count = static_cast<std::size_t>(at.program.words_of(t));
    elements.emplace_back(v.begin() + static_cast<std::ptrdiff_t>(next_word),
                          v.begin() + static_cast<std::ptrdiff_t>(next_word + count));
    next_word += count;
  }
  for (const clause& c : e.clauses) {
    const int next = at.out.block();
    for (std::size_t i = 0; i < c.pattern.size() && i < elements.size(); ++i) {
      if (c.pattern[i].literal == nullptr) continue;
      require_equal(at, elements[i], *c.pattern[i].literal, types[i], next);
    }
    for (std::size_t i = 0; i < c.pattern.size() && i < elements.size(); ++i) {
      if (c.pattern[i].bound == nullptr) continue;
      values copies;
      for (const value each : elements[i]) copies.push_back(at.out.moved(each));
      at.names.bind(*c.pattern[i].bound, copies);
    }
    if (c.guard != nullptr) {
      const int yes = at.out.block();
      condition(at, *c.guard, yes, next);
      at.out.enter(yes);
    }
    last_into(at, c.body, want, result, after);
    at.out.enter(next);
    if (c.takes_all()) break;  // what follows is never reached
  }
  at.out.stand_at(e.where);
  at.out.fail("no clause fits this value");
}

}  // namespace abcl::messages
