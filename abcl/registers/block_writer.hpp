// Writes the instructions of a text once more: block by block, with values and blocks that are not in use yet.
#pragma once

#include "abcl/code/code.hpp"
#include "abcl/registers/flow.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;
using code::value;

class block_writer {
 public:
  explicit block_writer(code::text& t) : text(t), next_value_(values_of(t)) {}

  code::text& text;

  // ---- where it stands

  // What is written from now on is at the end of the block, and so express or not as that is.
  void enter(int b) { at_ = static_cast<std::size_t>(b); }
  // The place in the program of what has none of its own.
  void stand_at(int site) { site_ = site; }
  bool in_express() const { return text.blocks[at_].express; }
  int block() {
    text.blocks.push_back({{}, in_express(), {}});
    return static_cast<int>(text.blocks.size()) - 1;
  }

  // ---- instructions

  value fresh() { return next_value_++; }
  void emit(instruction i) {
    if (i.site < 0) i.site = site_;
    text.blocks[at_].steps.push_back(i);
  }
  // The value of `i`, which is given one.
  value make(instruction i) {
    i.d = fresh();
    emit(i);
    return i.d;
  }
  value set(std::int64_t n) { return make({.what = opcode::set, .k = n}); }
  value me() { return make({.what = opcode::me}); }
  value box_of(value message) { return make({.what = opcode::box_of, .a = message}); }
  value load(value from, int k) { return make({.what = opcode::load, .a = from, .k = k}); }
  // A word of the object.
  value own(int k) { return load(code::segment, k); }
  void store(value to, int k, value v) { emit({.what = opcode::store, .a = to, .b = v, .k = k}); }
  void store_number(value to, int k, std::int64_t n) { store(to, k, set(n)); }
  void keep_place(int word, int b, std::int16_t note = 0) {
    emit({.what = opcode::keep_place, .note = note, .k = word, .t = b});
  }
  void service(code::service what, value d = code::none, value a = code::none) {
    emit({.what = opcode::service, .d = d, .a = a, .k = static_cast<int>(what)});
  }
  // `of_class`: of an object that is started.
  void send(value to, code::entry e, value datum, int of_class = -1) {
    emit({.what = opcode::send, .a = to, .b = datum, .k = static_cast<int>(e), .u = of_class});
  }
  void link(code::reactive r, std::int16_t note = 0) {
    emit({.what = opcode::link, .note = note, .k = static_cast<int>(r)});
  }

  // ---- ends of blocks

  void end() { emit({.what = opcode::end}); }
  void jump(int to) { emit({.what = opcode::jump, .t = to}); }
  // It goes on there.
  void jump_into(int to) {
    jump(to);
    enter(to);
  }
  void branch(value a, std::int64_t k, int yes, int no) {
    emit({.what = opcode::if_equal, .a = a, .k = k, .t = yes, .u = no});
  }
  // Two blocks, of which the first is entered.
  int unless_equal(value a, std::int64_t k) {
    const int yes = block(), no = block();
    branch(a, k, yes, no);
    enter(yes);
    return no;
  }
  void resume_at(value place) { emit({.what = opcode::go, .note = code::notes::resumes, .a = place}); }

 private:
  int next_value_;
  std::size_t at_ = 0;
  int site_ = -1;
};

}  // namespace abcl::registers
