#include "abcl/machine/processor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "abcl/machine/recorder.hpp"

namespace abcl::machine {

using code::entry;
using code::handler;
using code::reactive;
namespace words = code::words;

int layout_of_texts(const image& of) {
  const auto found = std::find(of.layouts.begin(), of.layouts.end(), code::layout{1});
  return static_cast<int>(found - of.layouts.begin());
}

processor::processor(int node, std::shared_ptr<const image> of, surroundings& outside, const costs& c)
    : node_(node), outside_(outside), costs_(c), unit_(node, outside) {
  use(std::move(of));
}

void processor::use(std::shared_ptr<const image> more) {
  const std::size_t known = classes_;
  unit_.use(std::move(more));
  classes_ = code().classes.size();
  const int most = code().collect_every < 0 ? most_classes : words::most_collected_classes;
  if (classes_ > static_cast<std::size_t>(most)) outside_.fail(-1, fmt::format("a program may have {} classes", most));
  // The creator expects that there is one in stock.
  for (std::size_t c = known; c < code().classes.size(); ++c)
    unit_.memory[static_cast<std::size_t>(words::stock) + c] = new_segment(static_cast<int>(c));
  if (code().collect_every >= 0) prepare_collector();
}

void processor::prepare_collector() {
  const int every = code().collect_every;
  const auto between = static_cast<word>(every == 0 ? std::numeric_limits<std::int64_t>::max() : every);
  unit_.memory[words::at_a_time] = segments_at_a_time(code());
  unit_.memory[words::classes] = classes_;
  unit_.memory[words::between] = unit_.memory[words::countdown] = between;
  unit_.memory[words::next_to_sweep] = static_cast<word>(code().handlers[static_cast<std::size_t>(handler::sweep_on)]);
}

// ---- memory

std::uint32_t processor::new_segment(int class_number) {
  return unit_.memory.new_segment(code().classes[static_cast<std::size_t>(class_number)], class_number);
}

namespace {

bool is_of_collector(const packet& p) {
  return p.what == packet::kind::to_node && (p.number & 0xff) >= static_cast<std::uint32_t>(handler::collect);
}

}  // namespace

// What is written to, or told to be complete, must not have been used by another reply.
void processor::check_box(const packet& p) {
  const word box = p.what == packet::kind::write ? p.address : p.datum;
  if (!unit_.memory.is_open(box)) [[unlikely]]
    outside_.fail(static_cast<int>(p.site), "a second reply to a question that has been answered");
}

word processor::new_object(int class_number) {
  const auto stock = static_cast<std::size_t>(words::stock + class_number);
  const auto at = static_cast<std::uint32_t>(unit_.memory[stock]);
  const word rest = unit_.memory[at + words::tail];
  unit_.memory[stock] = rest != 0 ? rest : new_segment(class_number);
  return name_of(node_, at);
}

// Whether the clause waits that express clauses have interrupted.
bool processor::interrupted_wait_goes_on(const node_memory::segment& s) const {
  const auto was = static_cast<reactive>(unit_.memory[s.at + words::kept_reactive]);
  if (was == reactive::accepting_open) return s.interrupted.in_clause;
  const auto box = static_cast<std::uint32_t>(unit_.memory[s.at + words::kept_awaited]);
  return was == reactive::waiting_open && unit_.memory[box + words::next] == 0;
}

std::vector<processor::waiting> processor::waits() const {
  std::vector<waiting> all;
  for (const node_memory::segment& s : unit_.memory.segments()) {
    const auto now = static_cast<reactive>(unit_.memory[s.at + words::reactive]);
    const bool accepts = now == reactive::accepting || now == reactive::accepting_open || now == reactive::idle;
    const bool waits = now == reactive::waiting_one || now == reactive::waiting || now == reactive::waiting_open;
    if (!accepts && !waits) continue;
    const word object = name_of(node_, s.at);
    const bool is_express = s.last.site >= 0 && code().sites[static_cast<std::size_t>(s.last.site)].wait.express;
    if (is_express && interrupted_wait_goes_on(s)) all.push_back({object, s.class_number, s.interrupted});
    waiting one{object, s.class_number, s.last};
    auto box = static_cast<std::uint32_t>(accepts ? unit_.memory[s.at + words::head] : 0);
    if (box != 0) one.first_held = static_cast<int>(selector_of(unit_.memory[box + words::message]));
    for (; box != 0; box = static_cast<std::uint32_t>(unit_.memory[box + words::next])) ++one.held;
    if (waits || s.last.in_clause || one.held != 0) all.push_back(one);
  }
  return all;
}

// (Only classes with express clauses have that word.)
std::vector<processor::left> processor::left_objects() const {
  std::vector<left> all;
  for (const node_memory::segment& s : unit_.memory.segments()) {
    if (unit_.memory[s.at + words::interruptible] != 0 && unit_.memory[s.at + words::dropped] != 0)
      all.push_back({name_of(node_, s.at), s.class_number});
  }
  return all;
}

// Segments in stock are ready for objects that nobody has created yet.
std::size_t processor::objects() const {
  std::size_t ready = 0;
  const auto count = [&](std::size_t chain) {
    for (word at = unit_.memory[chain]; at != 0; at = unit_.memory[at + words::tail]) ++ready;
  };
  for (std::size_t c = 0; c < code().classes.size(); ++c) {
    count(static_cast<std::size_t>(words::stock) + c);
    if (code().collect_every >= 0) count(static_cast<std::size_t>(words::reserve) + c);
  }
  return unit_.memory.segments().size() - ready;
}

// ---- packets

void processor::execute(const packet& p) {
  if (unit_.has_stopped()) return;
  if (is_of_collector(p)) return execute_for_collector(p);
  if (unit_.held.holds()) return unit_.held.add(p);
  execute_for_program(p);
}

// Behind the last one come the packets that were held.
void processor::execute_for_collector(const packet& p) {
  const auto what = static_cast<handler>(p.number & 0xff);
  const std::uint64_t before = unit_.done.instructions;
  const std::size_t there = what == handler::sweep ? objects() : 0;
  execute_for_program(p);
  collector_counts& of = unit_.done.collector;
  (what == handler::mark    ? of.in_marks
   : what == handler::sweep ? of.in_sweeps
                            : of.in_others) += unit_.done.instructions - before;
  of.marks += what == handler::mark ? 1 : 0;
  if (what != handler::sweep) return;
  ++of.sweeps;
  of.freed += there - objects();
  for (const packet& each : unit_.held.take()) {
    if (!unit_.has_stopped()) execute_for_program(each);
  }
}

void processor::execute_for_program(const packet& p) {
  ++unit_.done.packets;
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->begins();
  given_up_ = 0;
  switch (p.what) {
    case packet::kind::write:
      check_box(p);
      ++unit_.done.writes;
      unit_.memory[address_of(p.address) + p.number] = p.datum;
      unit_.takes(costs_.write);
      break;
    case packet::kind::to_object: {
      const std::uint32_t object = address_of(p.address);
      if (recorder_ != nullptr) [[unlikely]]
        record(p);
      if (p.number == static_cast<std::uint32_t>(entry::answer)) {
        unit_.takes(costs_.match);
        run({static_cast<std::uint32_t>(unit_.memory[object + words::place]), object, p.datum});
        break;
      }
      if (p.number == static_cast<std::uint32_t>(entry::start)) unit_.memory.segment_at(object).last = {};
      if (p.number == static_cast<std::uint32_t>(entry::reply)) {
        check_box(p);
        unit_.memory.has_reply(address_of(p.datum));
      }
      const int sent_at = static_cast<int>(p.site);
      if (p.number <= static_cast<std::uint32_t>(entry::express))
        unit_.memory.was_sent_at(address_of(p.datum), sent_at);
      const int at = code().reactive[unit_.memory[object + words::reactive]][p.number];
      run({static_cast<std::uint32_t>(at), object, p.datum, 0, sent_at});
      break;
    }
    case packet::kind::to_node:
      run({static_cast<std::uint32_t>(code().handlers[p.number & 0xff]), 0, p.datum, p.number >> 8});
      break;
  }
  unit_.flush();
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->ends();
}

void processor::execute_value(const packet& p, int kind, std::string_view bytes) {
  if (unit_.has_stopped()) return;
  const word value = unit_.values.load(bytes, kind, code().layouts);
  if (unit_.held.holds()) return unit_.held.add({p.address, value, p.number, p.site, packet::kind::write});
  ++unit_.done.packets;
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->begins();
  check_box(p);
  unit_.memory[address_of(p.address) + p.number] = value;
  unit_.takes(costs_.write);
  unit_.flush();
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->ends();
}

// ---- what is recorded

void processor::record(const packet& p) {
  const std::uint32_t object = address_of(p.address);
  recorder_->clocks(unit_.untold_clocks());
  if (p.number == static_cast<std::uint32_t>(entry::answer)) {
    recorder_->answered(object);
  } else if (p.number == static_cast<std::uint32_t>(entry::start)) {
    recorder_->starts(object);
  } else if (p.mark != 0) {
    recorder_->arrives(address_of(p.datum), p.mark);
  }
}

// ---- sequences

void processor::run(const execution_unit::sequence& s) {
  try {
    unit_.run(s, recorder_);
  } catch (...) {
    if (s.object != 0) {
      given_up_ = name_of(node_, s.object);
      end_object(s.object);
    }
    throw;
  }
}

void processor::end_object(word object) {
  set(object, words::reactive, static_cast<word>(reactive::ended));
  set(object, words::place, unit_.end_at());
}

}  // namespace abcl::machine
