// What the parts of the C++ back end share: the text that has been written, and the function that is being written.
//
// An expression becomes a C++ expression, and statements before it for what has to happen in order: whatever waits or
// changes something becomes a statement of its own. What is left in expressions can be evaluated in any order.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "abcl/cpp/plan.hpp"
#include "abcl/text/source.hpp"

namespace abcl {

class cpp_writer {
 public:
  cpp_writer(const program& p, const sources& texts, const class_def& start)
      : texts_(texts), plan_(p), start_(&start) {}
  // A header, in that namespace.
  cpp_writer(const program& p, const sources& texts, const std::string& in_namespace)
      : texts_(texts), plan_(p, true), namespace_(in_namespace) {}
  std::string run();

 private:
  // ---- program.cpp: what stands outside of functions
  void declare(const class_plan& c);
  void interfaces();
  void function(const function_def& f);
  void nested_call(const function_def& f);
  std::string signature(const function_def& f, bool declares);
  void shown_messages();
  void reentrant_methods();
  std::string begin_namespace() const;
  std::string end_namespace() const;
  std::string head();
  std::string main();

  // ---- methods.cpp
  struct entry {
    std::string name;    // of the function
    bool keeps = false;  // its first argument is a tsubu::reply_to
    bool to = false;     // its last one is the reply destination
    bool interface = false;
    std::string pointer;  // as C++ names it
  };
  std::vector<entry> entries(const class_plan& c, const method& m) const;
  std::string arguments_of(const method& m, const entry& e);
  std::string head(const class_plan* c, const method& m, const entry& e, bool declares);
  std::string result(const method& m, const entry& e) const;
  bool is_coroutine(const method& m, const entry& e) const;
  std::vector<std::string> argument_names(const method& m);
  // Its constructor has nothing to do.
  static bool is_plain(const class_plan& c);
  void constructor(const class_plan& c);
  void body(const class_plan& c);
  void methods(const class_plan& c, const method& m);
  void direct(const class_plan& c, const method& m, const entry& e);
  void take(const class_plan& c, const method& m);
  void take_head(const class_plan* c, const method& m);
  void forward(const class_plan& c, const method& m, const entry& e);
  void send_on(const class_plan& c, const method& m);
  void script_clauses(const method& m, const std::vector<std::string>& arguments);
  std::string taken_type(const method& m);
  std::string taken_name(const method& m) const { return m.name + "_taken_"; }
  void clause_ends(const clause& c);
  void begin_clauses(const class_plan& c, const method& m);
  void has_taken(const class_plan& c);
  std::string asker_type(const method& m);

  // ---- foreign.cpp: what is of C++
  std::string foreign_includes() const;
  void foreign_function(const function_def& f);
  static std::string foreign_base(const class_plan& c);
  void foreign_constructor(const class_plan& c);
  void foreign_method(const class_plan& c, const method& m, const entry& e);

  // ---- clauses.cpp
  // The first clause that fits `values` is run; `otherwise` if none does.
  void chain(const std::vector<const clause*>& clauses, const std::vector<std::string>& values,
             const std::function<void(const clause&)>& run, const std::string& otherwise);
  void bind(const clause& c, const std::vector<std::string>& values);
  std::string condition(const clause& c, const std::vector<std::string>& values);
  std::string guard_of(const method& m, const std::vector<const clause*>& clauses);
  struct waited_for {
    const method* by = nullptr;
    std::vector<const clause*> clauses;  // of the `wait-for`
    std::size_t end = 0;                 // its entries come before this one of all that are accepted
  };
  void await_message(const tree::cases& e, const std::string& accepted, const std::string& which);
  void execute_taken(const waited_for& w, const std::string& result, span where);
  std::string wait_for(const tree::cases& e);

  // ---- statements.cpp
  void statement(const expression& e);
  void statements(const expressions& body);
  // The last of a clause whose reply is what its method returns.
  void last(const expression& e);
  void last_of(const expressions& body);
  void assign(const std::string& to, const expression& e);
  // Does `each` with the expression in which `e` ends: that of each branch, the last of a sequence. Not for values.
  void within(const expression& e, const std::function<void(const expression&)>& each);
  void choose(const tree::choose& e, const std::function<void(const expression&)>& each);
  void let_variables(const tree::let& e);
  void assignment(const tree::assign& e);
  void print(const tree::print& e);
  void expect(const tree::unary& e);
  void loop(const tree::loop& e);
  void count(const tree::count& e);
  void leave();
  void back_edge();

  // ---- values.cpp
  std::string value(const expression& e);
  // Whether value() writes no statements.
  static bool is_inline(const expression& e);
  // The values of parts, evaluated in their order.
  std::vector<std::string> values_of(const std::vector<const expression*>& parts);
  std::vector<std::string> values(const expressions& parts);
  // A message or tuple, by its elements.
  std::vector<std::string> elements(const expression& e);
  std::string kept(const std::string& what_for, const std::string& cpp_type, const std::string& value);
  // What awaiting `awaited` gives.
  std::string kept_awaited(const std::string& what_for, const std::string& cpp_type, const std::string& awaited);
  std::string compute(const tree::compute& e);
  std::string chained(const tree::compute& e, const std::vector<std::string>& v);
  std::string structured(const expression& e);
  std::string from_future(const tree::unary& e);
  std::string array(const tree::make_array& e);
  std::string element(const tree::element& e);
  std::string call(const tree::call& e);
  std::string library_call(const tree::library_call& e);
  std::string made_of(const type* t, const std::vector<std::string>& elements);
  std::string as_argument(const expression& e, const std::string& value) { return copied(e.of, value); }
  // What is sent shares nothing with its sender.
  static std::string copied(const type* of, const std::string& value);

  // ---- sends.cpp
  void past(const tree::send& e);
  std::string now(const tree::send& e);
  // What a question is awaited by.
  std::string question(const tree::send& e);
  std::vector<std::string> sent(const tree::send& e, std::string& target);
  std::vector<std::string> sent(const tree::send& e, std::size_t count, std::string& target);
  std::vector<std::string> sent_elements(const expression& message);
  std::string sent_to(const tree::send& e, const std::string& target);
  // The value of the target, which is the same when the message `e.whole` has been evaluated.
  std::string kept_target(const tree::send& e);
  // Whether it goes by the interface for express messages; by express, ahead of what waits.
  bool interrupts_unknown(const tree::send& e);
  bool by_express(const tree::send& e);
  std::string pointer(const method& m, bool to, bool once) const;
  static std::string pointer(const selector& s, bool express) {
    return fmt::format("&{}::{}", s.interface(express), s.interface_method(express));
  }
  std::string asked_at(const std::string& destination, span where);
  std::string create(const tree::create& e);
  std::string created(const tree::create& e);
  void reply_by_name(const std::string& name, const type* of, const expression& value, span where);
  void reply(const tree::unary& e);
  std::string sync(const tree::sync& e);
  std::vector<std::string> sync_values(const tree::sync& e);
  bool both(const tree::sync& e, std::vector<std::string>& into);

  // ---- the text
  static std::string line_directive(const source& of, int line);
  void line(const std::string& text) { write_line(text, false); }
  // A statement that waits for something: reports of deadlocks name its line.
  void await_line(const std::string& text) { write_line(text, true); }
  void write_line(const std::string& text, bool waits);
  // One that waits: express clauses may begin there.
  void waiting_line(const std::string& text);
  void at(const expression& e) { at(e.where); }
  void at(span where);
  std::string site(span where);
  void open(const std::string& text);
  void close(const std::string& text = "}");
  std::string fresh(std::string_view name) { return cpp_name(name, used_); }
  // "now_1", "now_2"
  std::string numbered(std::string_view name);
  std::string name_of(const variable& v);
  void begin_function(const class_plan* c, bool waits);
  void forget_names();

  const sources& texts_;
  plan plan_;
  const class_def* start_ = nullptr;  // null: it is a header
  std::string namespace_;             // of a header; "": none that has a name
  std::string out_;
  int indent_ = 0;
  std::pair<const source*, int> place_{};  // the ABCL/ST line of what is being written
  std::pair<const source*, int> line_{};   // that of the last directive
  int counted_line_ = 0;                   // the line that C++ counts

  std::vector<std::string> sites_;
  std::map<std::string, std::size_t> site_numbers_;

  bool uses_library_ = false;
  bool uses_console_ = false;

  // The function at hand.
  const class_plan* class_ = nullptr;
  std::string_view function_;  // outside of classes
  std::string message_;        // that the method takes, as errors show it
  std::string asker_;          // whom `!` replies to, if that is not what the function returns
  const type* answer_ = nullptr;
  bool waits_ = false;           // it is a coroutine
  bool interruptible_ = false;   // express messages may come at its waits and loops
  bool express_clause_ = false;  // it is an express clause
  bool nests_ = false;           // a function that knows how deep it is nested
  int loops_ = 0;                // around what is being written
  int created_ = 0;              // objects, outside of loops
  std::set<std::string> used_;
  std::set<std::string> constants_;  // of `used_`, those that keep their value
  std::map<const variable*, std::string> locals_;
};

// As a string of C++.
std::string quoted(const std::string& text);

// Without the brackets around all of it.
std::string without_brackets(const std::string& cpp);

}  // namespace abcl
