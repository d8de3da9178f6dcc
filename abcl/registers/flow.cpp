#include "abcl/registers/flow.hpp"

#include <algorithm>

namespace abcl::registers {

using code::instruction;

int values_of(const code::text& t) {
  int most = -1;
  for (const code::block& b : t.blocks) {
    for (const instruction& i : b.steps) most = std::max({most, i.d, i.a, i.b, i.c});
  }
  return most + 1;
}

liveness live_values(const code::text& t, bool over_waits) {
  const std::size_t count = t.blocks.size();
  std::vector<value_set> used(count), made(count);
  std::vector<std::vector<int>> after(count);
  for (std::size_t b = 0; b < count; ++b) {
    for (const instruction& i : t.blocks[b].steps) {
      code::uses(i, [&](code::value v) {
        if (!made[b].has(v)) used[b].add(v);
      });
      if (i.d >= 0) made[b].add(i.d);
    }
    if (t.blocks[b].steps.empty()) continue;
    const instruction& last = t.blocks[b].steps.back();
    if (over_waits || !code::waits(last.what)) code::successors(last, after[b]);
  }
  liveness found{std::vector<value_set>(count), std::vector<value_set>(count)};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = count; b-- > 0;) {
      for (const int s : after[b]) changed |= found.out[b].add(found.in[static_cast<std::size_t>(s)]);
      value_set in = found.out[b];
      made[b].for_each([&](code::value v) { in.remove(v); });
      in.add(used[b]);
      changed |= found.in[b].add(in);
    }
  }
  return found;
}

void remove_unreachable(code::text& t) {
  std::vector<bool> reached(t.blocks.size());
  std::vector<int> open;
  const auto reach = [&](int b) {
    if (b < 0 || reached[static_cast<std::size_t>(b)]) return;
    reached[static_cast<std::size_t>(b)] = true;
    open.push_back(b);
  };
  reach(0);
  reach(t.at_message);
  reach(t.at_express);
  std::vector<int> after;
  while (!open.empty()) {
    code::block& b = t.blocks[static_cast<std::size_t>(open.back())];
    open.pop_back();
    const auto last =
        std::find_if(b.steps.begin(), b.steps.end(), [](const instruction& i) { return code::ends_block(i.what); });
    if (last == b.steps.end()) {
      b.steps.push_back({.what = code::opcode::end});
      continue;
    }
    b.steps.erase(last + 1, b.steps.end());
    code::successors(*last, after);
    for (const int s : after) reach(s);
    // A text that goes on elsewhere, after express clauses.
    if (last->what == code::opcode::keep_place) reach(last->t);
    for (const instruction& i : b.steps) {
      if (i.what == code::opcode::keep_place) reach(i.t);
    }
    if (last->what == code::opcode::poll || last->what == code::opcode::poll_messages ||
        last->what == code::opcode::resume) {
      reach(t.at_next);
      reach(t.at_resume);
      reach(t.at_left);
    }
  }
  for (std::size_t b = 0; b < t.blocks.size(); ++b) {
    if (!reached[b]) t.blocks[b].steps.clear();
  }
}

}  // namespace abcl::registers
