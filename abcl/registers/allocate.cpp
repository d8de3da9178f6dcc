// Values become registers, by colouring the graph of those that are needed at the same time (Chaitin, Briggs). A value
// for which there is none has a word of the segment, or of the frame, and is loaded for each use.
#include <algorithm>
#include <set>

#include "abcl/registers/flow.hpp"
#include "abcl/registers/passes.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;
using code::value;

namespace {

struct graph {
  std::vector<std::set<value>> beside;
  std::vector<std::vector<value>> joined;  // by moves: they had better have the same register
  std::vector<double> uses;
  std::vector<bool> comes_in;  // in register 0
  std::vector<bool> exists;
};

graph graph_of(const code::text& t) {
  const auto size = static_cast<std::size_t>(values_of(t));
  graph g{std::vector<std::set<value>>(size), std::vector<std::vector<value>>(size), std::vector<double>(size),
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
          g.beside[d].insert(v);
          g.beside[static_cast<std::size_t>(v)].insert(s.d);
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

// Loads the value for each use, and stores it where it is made.
void spill(code::text& t, value v, int word, int& next) {
  const value memory = t.of_function ? code::frame : code::segment;
  for (code::block& b : t.blocks) {
    std::vector<instruction> steps;
    for (instruction s : b.steps) {
      bool used = false;
      code::uses(s, [&](value u) { used |= u == v; });
      if (used) {
        const value loaded = next++;
        steps.push_back({.what = opcode::load, .d = loaded, .a = memory, .k = word, .site = s.site});
        for (value* operand : {&s.a, &s.b, &s.c}) {
          if (*operand == v) *operand = loaded;
        }
      }
      if (s.d == v) {
        s.d = next++;
        steps.push_back(s);
        steps.push_back({.what = opcode::store, .a = memory, .b = s.d, .k = word, .site = s.site});
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
    int next = values_of(t);
    for (const value v : without) {
      spill(t, v, words++, next);
      ++f.spilled;
    }
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
