// What is needed behind a wait is kept in the segment: registers belong to whoever runs next.
//
// A value is stored in front of a wait if it is needed behind, unless its word in the segment has it already on every
// way there. It is loaded where the object goes on if it is used, or stored, before the next wait; else it stays where
// it is. Values that are not needed at the same time share a word; those of express clauses, which run while others
// wait, have words of their own.
#include <algorithm>
#include <map>

#include "abcl/registers/flow.hpp"
#include "abcl/registers/passes.hpp"

namespace abcl::registers {

using code::block;
using code::instruction;
using code::opcode;
using code::value;

namespace {

// The words of what is live over waits: no two that are live at the same place share one.
std::vector<int> words_for(const code::text& t, const liveness& live, const value_set& kept, int& words) {
  const int size = values_of(t);
  std::vector<std::vector<value>> beside(static_cast<std::size_t>(size));
  std::vector<bool> express(static_cast<std::size_t>(size));
  for (std::size_t b = 0; b < t.blocks.size(); ++b) {
    const block& of = t.blocks[b];
    if (of.steps.empty()) continue;
    value_set now = live.out[b];
    for (std::size_t i = of.steps.size(); i-- > 0;) {
      const instruction& s = of.steps[i];
      if (s.d >= 0) {
        if (of.express) express[static_cast<std::size_t>(s.d)] = true;
        if (kept.has(s.d)) {
          now.for_each([&](value v) {
            if (v == s.d || !kept.has(v)) return;
            beside[static_cast<std::size_t>(s.d)].push_back(v);
            beside[static_cast<std::size_t>(v)].push_back(s.d);
          });
        }
        now.remove(s.d);
      }
      code::uses(s, [&](value v) { now.add(v); });
    }
  }
  std::vector<int> word(static_cast<std::size_t>(size), -1);
  std::vector<bool> taken;
  const int first = words;
  int after_normal = first;
  for (const bool for_express : {false, true}) {
    const int base = for_express ? after_normal : first;
    kept.for_each([&](value v) {
      if (express[static_cast<std::size_t>(v)] != for_express) return;
      // One of the words from `base` on is free, as there are more of them than others beside it.
      const std::vector<value>& others = beside[static_cast<std::size_t>(v)];
      taken.assign(others.size() + 1, false);
      for (const value other : others) {
        const int at = word[static_cast<std::size_t>(other)] - base;
        if (at >= 0 && at < static_cast<int>(taken.size())) taken[static_cast<std::size_t>(at)] = true;
      }
      const int w = base + static_cast<int>(std::find(taken.begin(), taken.end(), false) - taken.begin());
      word[static_cast<std::size_t>(v)] = w;
      words = std::max(words, w + 1);
    });
    after_normal = words;
  }
  return word;
}

bool ends_with_wait(const block& b) { return !b.steps.empty() && code::waits(b.steps.back().what); }

// A wait goes on in a block of its own, where things are loaded, if others lead to where it goes on.
void separate_landings(code::text& t) {
  std::vector<int> ways(t.blocks.size());
  std::vector<int> after;
  for (const int begin : {0, t.at_message, t.at_express, t.at_next, t.at_resume, t.at_left}) {
    if (begin >= 0) ++ways[static_cast<std::size_t>(begin)];
  }
  for (const block& b : t.blocks) {
    if (b.steps.empty()) continue;
    code::successors(b.steps.back(), after);
    for (const int s : after) ++ways[static_cast<std::size_t>(s)];
  }
  for (std::size_t b = 0, count = t.blocks.size(); b < count; ++b) {
    if (!ends_with_wait(t.blocks[b])) continue;
    for (int instruction::* to : {&instruction::t, &instruction::u}) {
      const int s = t.blocks[b].steps.back().*to;
      if (t.blocks[b].steps.back().what == opcode::call && to == &instruction::u) continue;
      if (s < 0 || ways[static_cast<std::size_t>(s)] <= 1) continue;
      t.blocks.push_back({{}, t.blocks[b].express, {{.what = opcode::jump, .t = s}}});
      t.blocks[b].steps.back().*to = static_cast<int>(t.blocks.size()) - 1;
    }
  }
}

// The waits of a text, by its blocks.
struct waits_of {
  value_set kept;                 // what is needed behind any of them
  std::vector<value_set> needed;  // behind the one that ends a block
  std::vector<bool> goes_on;      // whether a wait goes on there
  std::vector<value> brought;     // with that
};

waits_of found_waits(const code::text& t, const liveness& live) {
  const std::size_t count = t.blocks.size();
  waits_of found{value_set(), std::vector<value_set>(count), std::vector<bool>(count),
                 std::vector<value>(count, code::none)};
  std::vector<int> after;
  for (std::size_t b = 0; b < count; ++b) {
    if (!ends_with_wait(t.blocks[b])) continue;
    const instruction& last = t.blocks[b].steps.back();
    code::successors(last, after);
    for (const int s : after) {
      found.goes_on[static_cast<std::size_t>(s)] = true;
      found.brought[static_cast<std::size_t>(s)] = last.d;
      value_set in = live.in[static_cast<std::size_t>(s)];
      if (last.d >= 0) in.remove(last.d);
      found.needed[b].add(in);
    }
    found.kept.add(found.needed[b]);
  }
  return found;
}

// What has a new value in the block is not in the segment any more.
void leave_out_changes(const block& b, value_set& there) {
  for (const instruction& i : b.steps) {
    if (i.d >= 0) there.remove(i.d);
  }
}

// Among the values that are needed behind waits those that the segment has for certain where each block begins. All,
// until something is found that speaks against it; but for those that nobody will use, since sets of all values for
// each block would grow with the square of the text.
std::vector<value_set> there_at_begin(const code::text& t, const liveness& live, const waits_of& w) {
  const std::size_t count = t.blocks.size();
  std::vector<value_set> at_begin = live.in;
  for (value_set& each : at_begin) each.keep_only(w.kept);
  for (const int begin : {0, t.at_message, t.at_express}) {
    if (begin >= 0) at_begin[static_cast<std::size_t>(begin)].clear();
  }
  std::vector<int> after;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < count; ++b) {
      if (t.blocks[b].steps.empty()) continue;
      const instruction& last = t.blocks[b].steps.back();
      value_set there = at_begin[b];
      leave_out_changes(t.blocks[b], there);
      if (code::waits(last.what)) {
        there.add(w.needed[b]);
        if (last.d >= 0) there.remove(last.d);
      }
      code::successors(last, after);
      for (const int s : after) {
        value_set now = at_begin[static_cast<std::size_t>(s)];
        now.keep_only(there);
        if (now == at_begin[static_cast<std::size_t>(s)]) continue;
        at_begin[static_cast<std::size_t>(s)] = std::move(now);
        changed = true;
      }
    }
  }
  return at_begin;
}

value memory_of(const code::text& t) { return t.of_function ? code::frame : code::segment; }

// In front of each wait, of what is needed behind it and is not there.
void add_stores(code::text& t, const liveness& live, const waits_of& w, const std::vector<int>& word, figures& f) {
  const std::vector<value_set> at_begin = there_at_begin(t, live, w);
  for (std::size_t b = 0; b < t.blocks.size(); ++b) {
    block& of = t.blocks[b];
    if (!ends_with_wait(of)) continue;
    const instruction last = of.steps.back();
    of.steps.pop_back();
    value_set there = at_begin[b];
    leave_out_changes(of, there);
    w.needed[b].for_each([&](value v) {
      if (there.has(v)) return;
      of.steps.push_back({.what = opcode::store,
                          .a = memory_of(t),
                          .b = v,
                          .k = word[static_cast<std::size_t>(v)],
                          .site = last.site});
      ++f.kept;
    });
    of.steps.push_back(last);
  }
}

// Where a wait goes on, of what is used, or stored, before the next one.
void add_loads(code::text& t, const waits_of& w, const std::vector<int>& word, figures& f) {
  const liveness near = live_values(t, false);
  for (std::size_t b = 0; b < t.blocks.size(); ++b) {
    if (!w.goes_on[b]) continue;
    std::vector<instruction> loads;
    if (w.brought[b] != code::none) loads.push_back({.what = opcode::incoming, .d = w.brought[b]});
    near.in[b].for_each([&](value v) {
      if (v == w.brought[b]) return;
      loads.push_back({.what = opcode::load, .d = v, .a = memory_of(t), .k = word[static_cast<std::size_t>(v)]});
      ++f.loaded;
    });
    // What the sequence begins with is in a register that the loads may want.
    auto at = t.blocks[b].steps.begin();
    if (at != t.blocks[b].steps.end() && at->what == opcode::incoming) ++at;
    t.blocks[b].steps.insert(at, loads.begin(), loads.end());
  }
}

}  // namespace

void keep_over_waits(code::text& t, int& words, figures& f) {
  separate_landings(t);
  const liveness live = live_values(t, true);
  const waits_of w = found_waits(t, live);
  const std::vector<int> word = words_for(t, live, w.kept, words);
  // The loads come last, since what the stores use is loaded, too.
  add_stores(t, live, w, word, f);
  add_loads(t, w, word, f);
}

}  // namespace abcl::registers
