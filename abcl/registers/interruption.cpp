#include "abcl/registers/interruption.hpp"

namespace abcl::registers {

using code::reactive;
namespace words = code::words;

namespace {

// What an interrupted clause was doing: it ran. Other values are those of `reactive`.
constexpr int was_running = 100;
static_assert(was_running >= code::reactives);

// Unless an atomic form keeps express clauses out, they run now, after `keep` has kept what was interrupted; else it
// goes on there.
void run_express_clauses(block_writer& w, auto&& keep, int was, int else_at) {
  const int is_closed = w.unless_equal(w.own(words::interrupt_depth), 0);
  keep();
  w.store_number(code::segment, words::kept_reactive, was);
  w.jump(w.text.at_resume);
  w.enter(is_closed);
  w.jump(else_at);
}

// (non-resume): a clause that ran is left; one that waits, when its wait ends. What looks for a message leaves it
// there.
void leave(block_writer& w) {
  const int now = w.block();
  const value was = w.own(words::kept_reactive);
  const int not_running = w.unless_equal(was, was_running);
  w.jump(now);
  w.enter(not_running);
  const int not_dormant = w.unless_equal(was, static_cast<int>(reactive::dormant_open));
  w.store_number(code::segment, words::dropped, 0);
  w.jump(w.text.at_next);
  w.enter(not_dormant);
  const int not_accepting = w.unless_equal(was, static_cast<int>(reactive::accepting_open));
  w.resume_at(w.own(words::kept_awaited));
  w.enter(not_accepting);
  const value awaited = w.own(words::kept_awaited);
  const int come = w.unless_equal(w.load(awaited, words::next), 0);
  w.store(code::segment, words::awaited, awaited);
  w.keep_place(words::place, now);
  w.link(reactive::waiting_open, code::notes::goes_back);
  w.end();
  w.enter(come);
  w.jump_into(now);
  w.store_number(code::segment, words::dropped, 0);
  w.jump(w.text.at_left >= 0 ? w.text.at_left : w.text.at_next);
}

}  // namespace

bool may_be_interrupted(const block_writer& w) { return w.text.interruptible && !w.in_express(); }

void link_waiting(block_writer& w, reactive closed, reactive open, std::int16_t note) {
  if (!may_be_interrupted(w)) return w.link(closed, note);
  const int after = w.block();
  const int is_closed = w.unless_equal(w.own(words::interrupt_depth), 0);
  w.link(open, note);
  w.jump(after);
  w.enter(is_closed);
  w.link(closed, note);
  w.jump_into(after);
}

void poll(block_writer& w, int t) {
  run_express_clauses(w, [&] { w.keep_place(words::kept_place, t); }, was_running, t);
}

void poll_messages(block_writer& w, int t) {
  run_express_clauses(w, [&] { w.keep_place(words::kept_awaited, t); }, static_cast<int>(reactive::accepting_open), t);
}

void run_express_clauses_first(block_writer& w, int t) {
  const int waits = w.block();
  const int some = w.unless_equal(w.own(words::early_head), 0);
  w.jump(waits);
  w.enter(some);
  const auto keep = [&] {
    w.keep_place(words::kept_place, t, code::notes::before_wait);
    w.store(code::segment, words::kept_awaited, w.own(words::awaited));
  };
  run_express_clauses(w, keep, static_cast<int>(reactive::waiting_open), waits);
  w.enter(waits);
}

void interrupt(block_writer& w) {
  w.store(code::segment, words::kept_place, w.own(words::place));
  w.store(code::segment, words::kept_awaited, w.own(words::awaited));
  w.link(reactive::busy, code::notes::interrupts);
}

void resume(block_writer& w, const instruction& s) {
  const int others = w.block();
  const value first = w.own(words::early_head);
  const int some = w.block();
  w.branch(first, 0, others, some);
  w.enter(some);
  w.store(code::segment, words::early_head, w.load(first, words::next));
  w.emit({.what = opcode::load, .d = s.d, .a = first, .k = words::message});
  w.jump(s.t);

  w.enter(others);
  const int left = w.unless_equal(w.own(words::dropped), 0);
  const value was = w.own(words::kept_reactive);
  const int not_running = w.unless_equal(was, was_running);
  w.resume_at(w.own(words::kept_place));
  w.enter(not_running);
  const int not_dormant = w.unless_equal(was, static_cast<int>(reactive::dormant_open));
  w.jump(w.text.at_next);
  w.enter(not_dormant);
  const int not_accepting = w.unless_equal(was, static_cast<int>(reactive::accepting_open));
  w.resume_at(w.own(words::kept_awaited));  // looks again
  w.enter(not_accepting);
  const value awaited = w.own(words::kept_awaited);
  const value place = w.own(words::kept_place);
  const int come = w.unless_equal(w.load(awaited, words::next), 0);
  w.store(code::segment, words::awaited, awaited);
  w.store(code::segment, words::place, place);
  w.link(reactive::waiting_open, code::notes::goes_back);
  w.end();
  w.enter(come);
  w.resume_at(place);

  w.enter(left);
  leave(w);
}

}  // namespace abcl::registers
