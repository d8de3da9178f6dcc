// The function that is being written: where it stands, what may happen in it, its names. What writes statements and
// values is told of it, and adds to its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abcl/cpp/names.hpp"
#include "abcl/cpp/unit.hpp"

namespace abcl::cpp {

// Whom `!` replies to, if that is not what the function returns, and what.
struct owed_reply {
  std::string asker;
  const type* answer = nullptr;
};

// A loop of the program that is being written.
struct loop_scope {
  std::size_t askers = 0;  // how many were owed a reply around it
  int breakable = 0;       // how many statements that C++'s `break` leaves are open in it, itself among them
  std::string behind{};    // a label there, which leaves more than one; "": nobody needs it
};

struct function_scope {
  // A method of `c`, which takes `message`, as errors show it.
  function_scope(translation_unit& of_unit, const class_plan* c, bool is_coroutine, std::string message = {});
  function_scope(translation_unit& of_unit, const function_def& f);

  translation_unit& unit;
  cpp::plan& plan;
  const sources& texts;
  text_writer& text;

  const class_plan* const of;
  const function_def* function = nullptr;  // outside of classes
  const std::string message;
  const bool waits;  // it is a coroutine
  name_scope names;

  owed_reply owes;
  std::vector<std::string> askers;  // whom the clauses of `wait-for` around owe replies, the innermost last
  int breakable = 0;                // how many statements are open that C++'s `break` leaves
  loop_scope* loop = nullptr;       // the innermost one; null: none
  bool interruptible = false;       // express messages may come at its waits and loops
  bool express_clause = false;      // it is an express clause

  void line(const std::string& cpp) { text.line(cpp); }
  // A statement that waits for something: reports of deadlocks name its line.
  void await_line(const std::string& cpp) { text.write(cpp, true); }
  // One where express clauses may begin.
  void waiting_line(const std::string& cpp);
  void open(const std::string& cpp) { text.open(cpp); }
  void close(const std::string& cpp = "}") { text.close(cpp); }
  void reopen(const std::string& cpp) { text.reopen(cpp); }
  void end_function();
  void at(const expression& e) { at(e.where); }
  void at(span where);
  // `awaited`: what is waited for there.
  std::string site(span where, std::string_view awaited = {});

  // A constant with that value: its name.
  cpp_value kept(std::string_view what_for, const std::string& cpp_type, const cpp_value& value);
  // What awaiting `awaited` gives.
  cpp_value kept_awaited(std::string_view what_for, const std::string& cpp_type, const std::string& awaited);
  // The function may call itself, and knows how deep it is nested.
  bool nests() const { return function != nullptr && plan.recursive.contains(function); }
  void leave() { line(waits ? "co_return;" : "return;"); }
  void leave(const std::string& with) { line((waits ? "co_return " : "return ") + with + ';'); }
};

}  // namespace abcl::cpp
