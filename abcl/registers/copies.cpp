// Copy propagation: a value that is a copy of another is not used, and what nobody uses is not computed.
#include <algorithm>
#include <map>

#include "abcl/registers/flow.hpp"
#include "abcl/registers/passes.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;
using code::value;

namespace {

// Whether it does nothing but make its value.
bool only_computes(opcode what) {
  switch (what) {
    case opcode::pack:
    case opcode::pack_early:
    case opcode::name_future:
    case opcode::kind_of:
    case opcode::box_of:
    case opcode::future_of:
    case opcode::name_box:
    case opcode::pair:
    case opcode::is_future:
    case opcode::is_early:
    case opcode::set:
    case opcode::text:
    case opcode::me:
    case opcode::neighbour:
    case opcode::move:
    case opcode::add:
    case opcode::subtract:
    case opcode::multiply:
    case opcode::add_real:
    case opcode::subtract_real:
    case opcode::multiply_real:
    case opcode::divide_real:
    case opcode::negate_real:
    case opcode::root:
    case opcode::to_real:
    case opcode::equal:
    case opcode::unequal:
    case opcode::less:
    case opcode::at_most:
    case opcode::less_real:
    case opcode::at_most_real:
    case opcode::equal_real:
    case opcode::unequal_real:
    case opcode::flip:
    case opcode::load:
    case opcode::result:
    case opcode::first:
    case opcode::following:
      return true;
    default:
      return false;
  }
}

// Within a block, uses of copies become uses of what they are copies of.
bool use_originals(code::text& t) {
  bool changed = false;
  for (code::block& b : t.blocks) {
    std::map<value, value> copy_of;
    for (instruction& i : b.steps) {
      for (value* v : {&i.a, &i.b, &i.c}) {
        const auto found = *v >= 0 ? copy_of.find(*v) : copy_of.end();
        if (found == copy_of.end()) continue;
        *v = found->second;
        changed = true;
      }
      if (i.d < 0) continue;
      copy_of.erase(i.d);
      std::erase_if(copy_of, [&](const auto& each) { return each.second == i.d; });
      if (i.what == opcode::move && i.a != i.d) copy_of[i.d] = i.a;
    }
  }
  return changed;
}

// `t = ..; x = t`, where that is the only use of t: x is made at once.
bool make_in_place(code::text& t) {
  const auto size = static_cast<std::size_t>(values_of(t));
  std::vector<int> uses(size), makers(size);
  for (const code::block& b : t.blocks) {
    for (const instruction& i : b.steps) {
      code::uses(i, [&](value v) { ++uses[static_cast<std::size_t>(v)]; });
      if (i.d >= 0) ++makers[static_cast<std::size_t>(i.d)];
    }
  }
  bool changed = false;
  for (code::block& b : t.blocks) {
    for (std::size_t i = 0; i < b.steps.size(); ++i) {
      const instruction m = b.steps[i];
      if (m.what != opcode::move || m.a < 0 || m.a == m.d) continue;
      if (uses[static_cast<std::size_t>(m.a)] != 1 || makers[static_cast<std::size_t>(m.a)] != 1) continue;
      for (std::size_t k = i; k-- > 0;) {
        instruction& maker = b.steps[k];
        if (maker.d == m.a) {
          maker.d = m.d;
          b.steps.erase(b.steps.begin() + static_cast<std::ptrdiff_t>(i));
          --i;
          changed = true;
          break;
        }
        bool in_use = maker.d == m.d;
        code::uses(maker, [&](value v) { in_use |= v == m.d; });
        if (in_use) break;
      }
    }
  }
  return changed;
}

bool remove_unused(code::text& t, figures& f) {
  const liveness live = live_values(t, true);
  bool changed = false;
  for (std::size_t b = 0; b < t.blocks.size(); ++b) {
    std::vector<instruction>& steps = t.blocks[b].steps;
    value_set now = live.out[b];
    for (std::size_t i = steps.size(); i-- > 0;) {
      const instruction& s = steps[i];
      const bool unused = s.d >= 0 && !now.has(s.d) && only_computes(s.what);
      if (unused || (s.what == opcode::move && s.a == s.d)) {
        f.copies_removed += s.what == opcode::move ? 1 : 0;
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
        continue;
      }
      if (s.d >= 0) now.remove(s.d);
      code::uses(s, [&](value v) { now.add(v); });
    }
  }
  return changed;
}

}  // namespace

void remove_copies(code::text& t, figures& f) {
  for (bool changed = true; changed;) {
    changed = use_originals(t);
    changed |= make_in_place(t);
    changed |= remove_unused(t, f);
  }
}

}  // namespace abcl::registers
