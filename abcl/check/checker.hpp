// What the parts of the checker share: the names that are known at a place, and the rules of each kind of form.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "abcl/check/check.hpp"

namespace abcl {

class checker {
 public:
  checker(program& into, diagnostics& said) : program_(into), types_(into.types), said_(said) {}

  void run(const std::vector<const forms*>& files);
  static std::vector<std::string_view> form_names();

 private:
  // ---- declarations.cpp: classes and functions before their bodies
  struct class_text {
    class_def* of;
    const form* from;
    std::size_t body;  // the first part that is of it
    bool damaged;
    bool foreign = false;
    const form* arguments = nullptr;
  };
  struct function_text {
    function_def* of;
    const form* from;
    bool damaged;
    bool foreign = false;
  };
  void declare(const form& f, bool damaged);
  void declare_class(const form& f, bool damaged);
  void declare_function(const form& f, bool damaged);

  // ---- foreign.cpp: what is of C++
  void declare_foreign(const form& f, bool damaged);
  std::string cpp_name_of(const form& f, const char* usage);
  void read_header(class_text& c);
  void read_header(function_text& f);
  void read_body(class_text& c);
  void read_foreign_body(class_text& c);
  void read_body(function_text& f);
  void read_foreign_body(function_text& f);
  void read_state(class_def& c, const form& f);
  bool expect_parameter(const form& f);
  // Something is wrong with a declaration: what could be meant as its name is known all the same.
  void declare_names_of(const form& f);
  bool is_name(const form& f, const char* of_what);
  template <class T>
  bool is_new(const T* old, const form& name, const char* what);

  // ---- type_forms.cpp
  const type* type_of(const form& f);
  const type* type_of_message(const form& f);
  // `places`: where to note which message stands where.
  const type* type_of_object(const form& f, std::vector<std::pair<const type*, span>>* places = nullptr);
  void expect_travels(const type* t, const form& f);

  // ---- names.cpp
  variable* declare(variable::kind what, const form& name, const type* of);
  variable* find(std::string_view name);
  std::vector<std::string> names_in_sight() const;
  void begin_scope() { scopes_.emplace_back(); }
  void end_scope();
  void unknown_name(const form& f);

  // ---- expressions.cpp
  // `wanted` is what the surroundings expect; null: they take anything.
  expression_ptr value(const form& f, const type* wanted = nullptr);
  expression_ptr value_as(const form& f, const type* wanted, const std::string& what_for);
  expression_ptr any_value(const form& f, const type* wanted);
  expression_ptr name(const form& f);
  expression_ptr round(const form& f, const type* wanted);
  expression_ptr square(const form& f, const type* wanted);
  expression_ptr assignment(const form& f);
  expression_ptr reply(const form& f);
  const type* sequence(const form& f, std::size_t first, std::vector<expression_ptr>& into, const type* wanted);
  void mismatch(const expression& e, const form& f, const type* wanted, const std::string& what_for);

  // ---- special_forms.cpp
  using rule = expression_ptr (checker::*)(const form&, const type* wanted);
  struct special {
    rule check;
    std::size_t least, most;  // parts behind the name
    const char* usage;
  };
  static const std::map<std::string_view, special>& specials();
  expression_ptr special_if(const form& f, const type* wanted);
  expression_ptr special_begin(const form& f, const type* wanted);
  expression_ptr special_while(const form& f, const type* wanted);
  expression_ptr special_for(const form& f, const type* wanted);
  expression_ptr special_let(const form& f, const type* wanted);
  expression_ptr special_atomic(const form& f, const type* wanted);
  expression_ptr special_exit(const form& f, const type* wanted);
  expression_ptr special_leave(const form& f, const type* wanted);
  expression_ptr special_print(const form& f, const type* wanted);
  expression_ptr special_expect(const form& f, const type* wanted);
  expression_ptr special_node(const form& f, const type* wanted);
  expression_ptr special_array(const form& f, const type* wanted);
  expression_ptr special_element(const form& f, const type* wanted);
  expression_ptr special_length(const form& f, const type* wanted);
  expression_ptr special_null(const form& f, const type* wanted);

  // ---- waiting.cpp
  expression_ptr special_sync(const form& f, const type* wanted);
  expression_ptr special_sync_all(const form& f, const type* wanted);
  expression_ptr special_destination(const form& f, const type* wanted);
  expression_ptr special_make_future(const form& f, const type* wanted);
  expression_ptr special_of_future(const form& f, const type* wanted);
  variable* open_box(const form& name);
  void close_box(variable& box);

  // ---- operators.cpp
  expression_ptr arithmetic(const form& f, operation does);
  expression_ptr comparison(const form& f, operation does);
  expression_ptr logic(const form& f, operation does);
  expression_ptr conversion(const form& f, operation does);
  expression_ptr call(const form& f);
  expression_ptr library_call(const form& f, const library_function& called);
  void forbid_looking_outside_in_guards();

  // ---- sends.cpp
  expression_ptr send(const form& f, op how, bool express);
  expression_ptr message(const form& f, const type* wanted);
  expression_ptr creation(const form& f, const type* wanted);
  void send_to_reply(const form& f, expression& e);
  void send_literal(const form& f, expression& e);
  void send_value(const form& f, expression& e);
  void elements(const form& message, std::size_t first, const std::vector<const type*>& wanted, expression& e);
  void not_understood(const form& message, const expression& target, std::string_view tag, std::size_t count, op how);
  void understands_help(diagnostic& d, const type* t);

  // ---- clauses.cpp
  expression_ptr special_script(const form& f, const type* wanted);
  expression_ptr special_wait_for(const form& f, const type* wanted);
  expression_ptr special_match(const form& f, const type* wanted);
  struct arrow {
    bool is_one = false, replies = false, express = false;
  };
  static arrow arrow_of(const form& f);
  bool clause_shape(const form& f, arrow& found);
  void accept_clause(const form& f, bool in_script, expression& into, const type* wanted);
  const type* taken_by(const form& f, arrow& a);
  void pattern(const form& f, const std::vector<const type*>& elements, clause& c);
  void body_of(const form& f, clause& c, const type* wanted);
  void warn_of_unreachable(const std::vector<clause>& clauses);
  void require_all_clauses();

  // ---- helpers
  expression_ptr made(op what, const form& f, const type* of);
  expression_ptr wrong(const form& f);  // an expression that no further error follows from
  void forgive(const form& f);
  void warn_if_ignored(const expression& e);
  bool is_open(const type* t) const { return types_.is_open(t); }
  bool may_wait(const form& f, const char* what);
  const type* join(const type* a, const type* b);

  program& program_;
  type_table& types_;
  diagnostics& said_;
  std::vector<class_text> class_texts_;
  std::vector<function_text> function_texts_;

  // Where the form stands that is being checked.
  std::vector<std::map<std::string_view, variable*>> scopes_;
  class_def* in_class_ = nullptr;
  const type* answers_ = nullptr;  // what `!` takes; null: nothing
  bool has_answered_ = false;      // a `!` that answers the clause at hand has been seen
  bool in_function_ = false;
  bool in_guard_ = false;
  bool in_initial_ = false;  // of a state variable
  bool in_express_ = false;
  bool script_may_stand_ = false;
  std::vector<const type*> accepted_;  // the messages of the class that have a clause
  std::set<std::string_view> unknown_types_;
  std::set<std::string_view> unknown_;  // names that have been told of, in this class or function
  bool script_is_wrong_ = false;        // some of its clauses could not be read
  std::map<const variable*, std::pair<const type*, bool>> boxes_;  // what fits so far; whether it is given away
};

// "an Int", "a Buffer".
std::string with_article(const type* t);

}  // namespace abcl
