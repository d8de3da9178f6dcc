#include "abcl/registers/queues.hpp"

namespace abcl::registers {

namespace words = code::words;

namespace {

// Behind the last of the chain between those words.
void append(block_writer& w, value box, int head, int tail) {
  w.store_number(box, words::next, 0);
  const int after = w.block();
  const int behind = w.unless_equal(w.own(head), 0);
  w.store(code::segment, head, box);
  w.jump(after);
  w.enter(behind);
  w.store(w.own(tail), words::next, box);
  w.jump_into(after);
  w.store(code::segment, tail, box);
}

// An express message that a normal clause will take: in front of the others, behind those like it.
void insert_ahead(block_writer& w, value box) {
  const int after = w.block(), last = w.block(), done = w.block();
  const value ahead = w.own(words::ahead);
  const int behind = w.unless_equal(ahead, 0);
  const value head = w.own(words::head);
  w.store(box, words::next, head);
  w.store(code::segment, words::head, box);
  w.branch(head, 0, last, after);
  w.enter(behind);
  const value next = w.load(ahead, words::next);
  w.store(box, words::next, next);
  w.store(ahead, words::next, box);
  w.branch(next, 0, last, after);
  w.enter(last);
  w.store(code::segment, words::tail, box);
  w.jump_into(after);
  w.store(code::segment, words::ahead, box);
  w.jump_into(done);
}

value box_with(block_writer& w, value message) {
  const value box = w.box_of(message);
  w.store(box, words::message, message);
  return box;
}

}  // namespace

void take_out(block_writer& w, value box, value before, bool some_are_express) {
  const int after = w.block(), last = w.block(), done = w.block();
  const value rest = w.load(box, words::next);
  const int behind = w.unless_equal(before, 0);
  w.store(code::segment, words::head, rest);
  w.jump(after);
  w.enter(behind);
  w.store(before, words::next, rest);
  w.jump_into(after);
  w.branch(rest, 0, last, done);
  w.enter(last);
  w.store(code::segment, words::tail, before);
  w.jump_into(done);
  if (some_are_express) forget_ahead(w, box, before);
}

void put_back(block_writer& w, value message, bool some_are_express) {
  const value box = box_with(w, message);
  if (!some_are_express) return append(w, box, words::head, words::tail);
  const value early = w.make({.what = opcode::is_early, .a = message});
  const int after = w.block();
  const int goes_ahead = w.unless_equal(early, 0);
  append(w, box, words::head, words::tail);
  w.jump(after);
  w.enter(goes_ahead);
  insert_ahead(w, box);
  w.jump_into(after);
}

void put_back_early(block_writer& w, value message) {
  append(w, box_with(w, message), words::early_head, words::early_tail);
}

void forget_ahead(block_writer& w, value box, value before) {
  const int after = w.block(), no = w.block(), yes = w.block();
  w.emit({.what = opcode::if_equal, .a = w.own(words::ahead), .b = box, .t = yes, .u = no});
  w.enter(yes);
  w.store(code::segment, words::ahead, before);
  w.jump(after);
  w.enter(no);
  w.jump_into(after);
}

}  // namespace abcl::registers
