// Values become registers, by colouring the graph of those that are needed at the same time (Chaitin, Briggs). A value
// for which there is none has a word of the segment, or of the frame, and is loaded for each use.
#include <algorithm>

#include "abcl/registers/flow.hpp"
#include "abcl/registers/passes.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;
using code::value;

namespace {

struct graph {
  std::vector<std::vector<value>> beside;  // in ascending order, each once
  std::vector<std::vector<value>> joined;  // by moves: they had better have the same register
  std::vector<double> uses;
  std::vector<bool> comes_in;  // in register 0
  std::vector<bool> exists;
};

graph graph_of(const code::text& t) {
  const auto size = static_cast<std::size_t>(values_of(t));
  graph g{std::vector<std::vector<value>>(size), std::vector<std::vector<value>>(size), std::vector<double>(size),
          std::vector<bool>(size), std::vector<bool>(size)};
  const liveness live = live_values(t, false);
  for (std::size_t b = 0; b < t.blocks.size(); ++b) {
    const std::vector<instruction>& steps = t.blocks[b].steps;
    value_set now = live.out[b];
    for (std::size_t i = steps.size(); i-- > 0;) {
      const instruction& s = steps[i];
      if (s.d >= 0) {
        const auto d = static_cast<std::size_t>(s.d);
        g.exists[d] = true;
        g.uses[d] += 1;
        if (s.what == opcode::incoming) g.comes_in[d] = true;
        now.remove(s.d);
        now.for_each([&](value v) {
          if (s.what == opcode::move && v == s.a) return;
          g.beside[d].push_back(v);
          g.beside[static_cast<std::size_t>(v)].push_back(s.d);
        });
        if (s.what == opcode::move && s.a >= 0) {
          g.joined[d].push_back(s.a);
          g.joined[static_cast<std::size_t>(s.a)].push_back(s.d);
        }
      }
      code::uses(s, [&](value v) {
        g.exists[static_cast<std::size_t>(v)] = true;
        g.uses[static_cast<std::size_t>(v)] += 1;
        now.add(v);
      });
    }
  }
  for (std::vector<value>& others : g.beside) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
  return g;
}

// The register of each value; those without are returned. `first_loaded`: those from here on are loaded for one use, so
// that nothing is won if they have none.
std::vector<value> colour(const graph& g, bool join, value first_loaded, std::vector<int>& register_of) {
  const std::size_t size = g.beside.size();
  std::vector<int> degree(size);
  std::vector<bool> taken(size);
  std::vector<value> order, few;
  std::size_t left = 0;
  for (std::size_t v = 0; v < size; ++v) {
    degree[v] = static_cast<int>(g.beside[v].size());
    taken[v] = !g.exists[v];
    left += g.exists[v] ? 1 : 0;
    if (g.exists[v] && degree[v] < code::registers) few.push_back(static_cast<value>(v));
  }
  const auto take = [&](value v) {
    taken[static_cast<std::size_t>(v)] = true;
    order.push_back(v);
    --left;
    for (const value other : g.beside[static_cast<std::size_t>(v)]) {
      if (!taken[static_cast<std::size_t>(other)] && degree[static_cast<std::size_t>(other)]-- == code::registers)
        few.push_back(other);
    }
  };
  while (left > 0) {
    if (!few.empty()) {
      const value v = few.back();
      few.pop_back();
      if (!taken[static_cast<std::size_t>(v)]) take(v);
      continue;
    }
    value best = code::none;
    double least = 0;
    for (std::size_t v = 0; v < size; ++v) {
      if (taken[v]) continue;
      const bool is_loaded = static_cast<value>(v) >= first_loaded;
      const double cost = (is_loaded ? 1e9 : 1) * g.uses[v] / (degree[v] + 1);
      if (best == code::none || cost < least) best = static_cast<value>(v), least = cost;
    }
    take(best);
  }
  register_of.assign(size, -1);
  std::vector<value> without;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto v = static_cast<std::size_t>(order[i]);
    bool free[code::registers];
    std::fill(std::begin(free), std::end(free), true);
    for (const value other : g.beside[v]) {
      const int r = register_of[static_cast<std::size_t>(other)];
      if (r >= 0) free[r] = false;
    }
    int chosen = -1;
    if (join) {
      for (const value other : g.joined[v]) {
        const int r = register_of[static_cast<std::size_t>(other)];
        if (r >= 0 && free[r]) chosen = r;
      }
      if (g.comes_in[v] && free[0]) chosen = 0;
    }
    for (int r = 0; r < code::registers && chosen < 0; ++r) {
      if (free[r]) chosen = r;
    }
    register_of[v] = chosen;
    if (chosen < 0) without.push_back(static_cast<value>(v));
  }
  return without;
}

// The values of a text that get no register, each with its rank among them.
class spilled {
 public:
  spilled(const code::text& t, const std::vector<value>& all) : rank_(static_cast<std::size_t>(values_of(t)), -1) {
    for (std::size_t r = 0; r < all.size(); ++r) rank_[static_cast<std::size_t>(all[r])] = static_cast<int>(r);
  }
  // Below 0: it has a register, or is none.
  int rank(value v) const { return v >= 0 ? rank_[static_cast<std::size_t>(v)] : -1; }
  // The ranks of those that an instruction uses, in ascending order, each once.
  void ranks_of_used(const instruction& s, std::vector<int>& ranks) const {
    ranks.clear();
    code::uses(s, [&](value v) {
      if (rank(v) >= 0) ranks.push_back(rank(v));
    });
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }

 private:
  std::vector<int> rank_;
};

// Loads them for each use, and stores them where they are made. Each such place has a value of its own; these are
// numbered by the values that they stand for, then by place. Word `first_word` is that of the first.
void spill(code::text& t, const std::vector<value>& without, int first_word) {
  const value memory = t.of_function ? code::frame : code::segment;
  const spilled to_spill(t, without);
  std::vector<int> used, next(without.size() + 1);
  for (const code::block& b : t.blocks) {
    for (const instruction& s : b.steps) {
      to_spill.ranks_of_used(s, used);
      for (const int r : used) ++next[static_cast<std::size_t>(r) + 1];
      if (const int r = to_spill.rank(s.d); r >= 0) ++next[static_cast<std::size_t>(r) + 1];
    }
  }
  next[0] = values_of(t);
  for (std::size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];

  for (code::block& b : t.blocks) {
    std::vector<instruction> steps;
    for (instruction s : b.steps) {
      to_spill.ranks_of_used(s, used);
      const int made = to_spill.rank(s.d);
      for (const int r : used) {
        const value loaded = next[static_cast<std::size_t>(r)]++;
        steps.push_back({.what = opcode::load, .d = loaded, .a = memory, .k = first_word + r, .site = s.site});
        for (value* operand : {&s.a, &s.b, &s.c}) {
          if (*operand == without[static_cast<std::size_t>(r)]) *operand = loaded;
        }
      }
      if (made >= 0) {
        s.d = next[static_cast<std::size_t>(made)]++;
        steps.push_back(s);
        steps.push_back({.what = opcode::store, .a = memory, .b = s.d, .k = first_word + made, .site = s.site});
      } else {
        steps.push_back(s);
      }
    }
    b.steps = std::move(steps);
  }
}

}  // namespace

void allocate(code::text& t, int& words, bool join_copies, figures& f) {
  std::vector<int> register_of;
  const value first_loaded = values_of(t);
  for (;;) {
    const graph g = graph_of(t);
    const std::vector<value> without = colour(g, join_copies, first_loaded, register_of);
    if (without.empty()) break;
    spill(t, without, words);
    words += static_cast<int>(without.size());
    f.spilled += static_cast<int>(without.size());
  }
  for (code::block& b : t.blocks) {
    std::vector<instruction> steps;
    for (instruction s : b.steps) {
      for (value* operand : {&s.d, &s.a, &s.b, &s.c}) {
        if (*operand >= 0) *operand = register_of[static_cast<std::size_t>(*operand)];
      }
      if (join_copies && s.what == opcode::move && s.d == s.a) continue;
      // The datum comes in register 0.
      if (s.what == opcode::incoming) {
        if (s.d == 0) continue;
        s.what = opcode::move;
        s.a = 0;
      }
      steps.push_back(s);
    }
    b.steps = std::move(steps);
  }
}

}  // namespace abcl::registers
