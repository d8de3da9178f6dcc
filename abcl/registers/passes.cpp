#include "abcl/registers/passes.hpp"

#include "abcl/registers/flow.hpp"

namespace abcl::registers {

void tidy(code::text& t, const options& how, figures& f) {
  remove_unreachable(t);
  if (how.copy_propagation) remove_copies(t, f);
}

std::vector<figures> translate(code::program& p, const options& how) {
  std::vector<figures> all;
  for (code::text& t : p.texts) {
    figures f;
    tidy(t, how, f);
    int words = t.words;
    keep_over_waits(t, words, f);
    select(t, p);
    tidy(t, how, f);
    allocate(t, words, how.copy_propagation, f);
    remove_unreachable(t);
    t.words = words;
    for (const code::block& b : t.blocks) f.instructions += static_cast<int>(b.steps.size());
    all.push_back(f);
  }
  return all;
}

}  // namespace abcl::registers
