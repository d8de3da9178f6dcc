// A text that is written: its blocks, values that are not in use yet, and the place in the program of what is written
// next.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "abcl/messages/tables.hpp"

namespace abcl::messages {

using code::value;
using step = code::instruction;

class text_builder {
 public:
  text_builder(tables& program, std::string name, home of) : program_(program), home_(std::move(of)) {
    text.name = std::move(name);
  }

  // ---- blocks

  int block(std::string note = {});
  // What is written from now on is at its end.
  void enter(int block) { current_ = block; }
  int current() const { return current_; }
  // Blocks that are made from now on are part of an express clause, or no more.
  void in_express(bool now) { in_express_ = now; }
  bool in_express() const { return in_express_; }
  // Whether express clauses may begin where it waits.
  bool may_be_interrupted() const { return text.interruptible && !in_express_; }

  // ---- where in the program

  // Gives the place before.
  span stand_at(span where) { return std::exchange(where_, where); }
  span where() const { return where_; }
  // The message of the clause; gives that of the one before.
  std::string in_clause(std::string message) { return std::exchange(home_.message, std::move(message)); }

  // ---- instructions

  value fresh() { return next_value_++; }
  void emit(step s);
  // Something is waited for; `asks`: the reply of whom the object has sent to last.
  void emit_wait(step s, std::string what, bool asks = false);
  // The value of `s`, which is given one.
  value make(step s);
  void jump(int to) { emit({.what = code::opcode::jump, .t = to}); }
  // Ends the block; what follows is never reached.
  void end_here(step s);
  void branch_if(code::opcode what, value a, std::int64_t k, int yes, int no);
  value set(std::int64_t k) { return make({.what = code::opcode::set, .k = k}); }
  value moved(value v) { return make({.what = code::opcode::move, .a = v}); }
  value compute(code::opcode what, value a, value b) { return make({.what = what, .a = a, .b = b}); }
  value load(value from, int k) { return make({.what = code::opcode::load, .a = from, .k = k}); }
  void store(value to, int k, value v) { emit({.what = code::opcode::store, .a = to, .b = v, .k = k}); }
  // What the machine does, with a value or without.
  value service(code::service what, value a = code::none, value b = code::none, int u = -1);
  void act(code::service what, value a = code::none, value b = code::none, int u = -1);
  // The job ends with these words.
  void fail(const std::string& words);
  // The values are those of a variable, for people.
  void name(value v, std::string_view of);

  code::text text;

 private:
  tables& program_;
  home home_;
  int current_ = 0;
  int next_value_ = 0;
  bool in_express_ = false;
  span where_;
};

}  // namespace abcl::messages
