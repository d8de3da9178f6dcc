#include "abcl/registers/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "abcl/code/names.hpp"
#include "abcl/registers/collector.hpp"
#include "abcl/registers/handlers.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;

namespace {

opcode opposite(opcode what) {
  switch (what) {
    case opcode::if_equal:
      return opcode::if_unequal;
    case opcode::if_unequal:
      return opcode::if_equal;
    case opcode::if_less:
      return opcode::if_at_least;
    case opcode::if_at_least:
      return opcode::if_less;
    case opcode::if_greater:
      return opcode::if_at_most;
    default:
      return opcode::if_greater;
  }
}

bool is_branch(opcode what) { return opcode::if_equal <= what && what <= opcode::if_at_least; }

// The blocks of a text, one behind the other, so that few jumps are needed.
class layout_of_text {
 public:
  layout_of_text(const code::text& t, image& to) : t_(t), to_(to), at_(t.blocks.size(), -1) {}

  // Where each block begins.
  std::vector<int> run() {
    const std::size_t first = to_.code.size();
    for (const int begin : {0, t_.at_message, t_.at_express, t_.at_next, t_.at_resume, t_.at_left}) place(begin);
    while (!open_.empty()) {
      const int b = open_.back();
      open_.pop_back();
      place(b);
    }
    for (std::size_t i = first; i < to_.code.size(); ++i) {
      instruction& s = to_.code.change(i);
      if (code::ends_block(s.what) || s.what == opcode::keep_place) {
        if (s.t >= 0) s.t = at_[static_cast<std::size_t>(s.t)];
      }
    }
    return at_;
  }

 private:
  bool placed(int b) const { return at_[static_cast<std::size_t>(b)] >= 0; }

  // A block, and those that it goes on to.
  void place(int b) {
    while (b >= 0 && !placed(b)) {
      const code::block& of = t_.blocks[static_cast<std::size_t>(b)];
      at_[static_cast<std::size_t>(b)] = static_cast<int>(to_.code.size());
      to_.labels.push_back({static_cast<int>(to_.code.size()), of.note});
      if (of.steps.empty()) return;
      for (instruction s : of.steps) {
        if (s.what == opcode::keep_place) open_.push_back(s.t);
        if (!code::ends_block(s.what)) {
          if (s.what == opcode::argument || s.what == opcode::result) s.u = t_.of_function ? t_.words : 0;
          if (s.what == opcode::pack || s.what == opcode::pack_early)
            s.u = to_.selectors[static_cast<std::size_t>(s.k)].kind;
          to_.code.push_back(s);
        }
      }
      instruction last = of.steps.back();
      if (last.what == opcode::call) {
        last.u = t_.of_function ? t_.words : 0;
        const int then = last.t;
        last.t = -1;  // it comes back behind the call
        to_.code.push_back(last);
        b = goes_on_at(then);
      } else if (last.what == opcode::jump) {
        b = goes_on_at(last.t);
      } else if (is_branch(last.what)) {
        if (placed(last.u) && !placed(last.t)) {
          last.what = opposite(last.what);
          std::swap(last.t, last.u);
        }
        const int other = last.u;
        last.u = -1;
        open_.push_back(last.t);
        to_.code.push_back(last);
        b = goes_on_at(other);
      } else {
        to_.code.push_back(last);
        return;
      }
    }
  }

  // Behind what has been placed, if that is free; else by a jump.
  int goes_on_at(int b) {
    if (!placed(b)) return b;
    to_.code.push_back({.what = opcode::jump, .t = b});
    return -1;
  }

  const code::text& t_;
  image& to_;
  std::vector<int> at_;
  std::vector<int> open_;
};

std::size_t index_of(std::string_view name, const auto& table) {
  const int found = code::number_named(name, table);
  if (found < 0) throw std::logic_error(fmt::format("nothing is called {}", name));
  return static_cast<std::size_t>(found);
}

void link_handlers(image& to, bool collects) {
  using code::reactive;
  for (auto& text : to.reactive) text.fill(-1);
  to.handlers.fill(-1);
  std::vector<assembled> all = assemble(handlers_text(), to);
  if (collects) {
    for (const std::string_view text : {create_and_count_text(), collector_text()})
      std::ranges::move(assemble(text, to), std::back_inserter(all));
  }
  for (const assembled& each : all) {
    const std::size_t dot = each.name.find('.');
    const std::string_view text = std::string_view(each.name).substr(0, dot),
                           what = std::string_view(each.name).substr(dot + 1);
    if (text == "node") {
      to.handlers[index_of(what, code::handler_names)] = each.at;
    } else {
      to.reactive[index_of(text, code::reactive_names)][index_of(what, code::entry_names)] = each.at;
    }
  }
  // What a text does not say it does as the one that it is like, or as an object that works.
  const auto text = [&](reactive r) -> auto& { return to.reactive[static_cast<std::size_t>(r)]; };
  const auto like = [&](reactive r, reactive other) {
    for (std::size_t i = 0; i < code::entries; ++i) {
      if (text(r)[i] < 0) text(r)[i] = text(other)[i];
    }
  };
  like(reactive::dormant_open, reactive::dormant);
  like(reactive::accepting_open, reactive::accepting);
  like(reactive::idle, reactive::accepting);
  like(reactive::waiting_open, reactive::waiting);
  // An express message is as good as any other where messages are waited for.
  for (const reactive r : {reactive::dormant, reactive::accepting, reactive::idle}) {
    auto& express = text(r)[static_cast<std::size_t>(code::entry::express)];
    if (express < 0) express = text(r)[static_cast<std::size_t>(code::entry::message)];
  }
  for (int r = 0; r < code::reactives; ++r) like(static_cast<reactive>(r), reactive::busy);
}

}  // namespace

image link(const code::program& p) { return link_more(p, {}); }

image link_more(const code::program& p, image to) {
  if (to.code.empty()) link_handlers(to, p.collect_every >= 0);
  to.collect_every = p.collect_every;
  to.selectors = p.selectors;
  to.strings = p.strings;
  to.layouts = p.layouts;
  to.sites = p.sites;
  to.start = p.start;
  to.start_arguments = p.start_arguments;
  std::vector<std::vector<int>> at;
  for (const code::text& t : p.texts) {
    to.labels.push_back({static_cast<int>(to.code.size()), "text " + t.name});
    at.push_back(layout_of_text(t, to).run());
  }
  const auto address = [&](int text, int block) {
    return block < 0 ? -1 : at[static_cast<std::size_t>(text)][static_cast<std::size_t>(block)];
  };
  to.classes.resize(p.classes.size());
  for (std::size_t i = 0; i < p.classes.size(); ++i) {
    const code::class_info& c = p.classes[i];
    if (c.text < 0) continue;
    const code::text& t = p.texts[static_cast<std::size_t>(c.text)];
    to.classes[i] = {c.name, address(c.text, 0), address(c.text, t.at_message), address(c.text, t.at_express), t.words,
                     c.first};
    if (p.collect_every >= 0) link_class_of_collector(c, static_cast<int>(i), to);
  }
  to.functions.resize(p.functions.size());
  for (std::size_t i = 0; i < p.functions.size(); ++i) {
    const code::function_info& f = p.functions[i];
    if (f.text >= 0)
      to.functions[i] = {f.name, address(f.text, 0), p.texts[static_cast<std::size_t>(f.text)].words, f.site};
  }
  return to;
}

}  // namespace abcl::registers
