// From the typed tree to the language of messages (abcl/code/code.hpp): what each object does, step by step.
//
// A value is as many words as its type has: one for numbers, texts, arrays and futures; one for an object; two for a
// reply destination, as in the paper (the object that waits, and the box or future that takes the reply); those of its
// elements for a tuple. In a program where an object stands for a destination somewhere, every name has two words, the
// second of an object's is 0: so no subtyping changes how many words there are.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "abcl/messages/messages.hpp"

namespace abcl {

class lowering {
 public:
  lowering(const program& p, const sources& texts, const class_def& start);
  code::program all();
  code::program more(int start_number, growing& so_far);

 private:
  using value = code::value;
  using values = std::vector<value>;
  using step = code::instruction;

  // ---- the program (lowering.cpp)
  void find_what_is_used();
  void number_from(growing& so_far);
  void headers();
  void class_text(const class_def& c);
  void function_text(const function_def& f);
  int words_of(const type* t) const;
  // What its words are, one after the other.
  code::layout layout_of(const type* t);
  // The same for a recorder: what they are for people, of code::notes.
  std::string words_for_people(const type* t) const;
  int layout_number(const type* element);
  int layout_number(const code::layout& l);
  int number_of_text(const std::string& text);
  int selector_of(const type* message);
  int selector_of(std::string_view tag, std::size_t elements, const std::string& shown, int words, bool asks);
  int site(span where);
  bool holds_names(const type* t) const;

  // ---- a text
  value fresh() { return next_value_++; }
  int block(std::string note = {});
  void enter(int block) { current_ = block; }
  void emit(step s);
  void jump(int to);
  // Ends the block; what follows is never reached.
  void end_here(step s);
  value set(std::int64_t k);
  void branch_if(code::opcode what, value a, std::int64_t k, int yes, int no);
  value moved(value v);
  value compute(code::opcode what, value a, value b);
  value load(value from, int k);
  void store(value to, int k, value v);
  value service(code::service what, value a = code::none, value b = code::none, int u = -1, bool has_value = true);
  void append(const type* t, const values& v, std::size_t& at);
  void append_literal(const std::string& text);

  // ---- expressions (values.cpp)
  // `want`: the type of the place where it goes, which tells how many words `nil` has; null: its own.
  values eval(const expression& e, const type* want = nullptr);
  values value_of(const expression& e, const type* want);
  values fitted(const values& v, const type* of, const type* want);
  void effect(const expression& e);
  values variable_values(const variable& v);
  void assign(const variable& v, const values& to);
  void condition(const expression& e, int yes, int no);
  value operation_value(const tree::compute& e);
  value truth(const tree::compute& e);
  value converted(const tree::compute& e);
  value arithmetic(const tree::compute& e);
  value comparison(const tree::compute& e);
  values one(step s);  // its value
  values nil(const type* of);
  values me();
  values name_of(const variable& box);
  values of_one(const tree::unary& e);
  values message(const tree::message& e, const type* want);
  values array(const tree::make_array& e);
  values element(const tree::element& e);
  values call(const tree::call& e);
  values library(const tree::library_call& e);
  values operands(const expressions& parts, std::vector<std::size_t>& first);
  value compared(operation does, const type* t, const values& a, const values& b);
  // The value of a form with branches: each branch leaves it in the same words.
  values branches(const expression& e, const type* want);
  void into(const expression& e, const type* want, const values& result, int after);
  void last_into(const expressions& body, const type* want, const values& result, int after);
  void choose(const tree::choose& e, const type* want, const values& result, int after);
  void atomic(const tree::block& e, const type* want, const values& result, int after);
  void let(const tree::let& e, const type* want, const values& result, int after);
  void run(const expressions& body);
  void assign(const tree::assign& e);
  void reply(const tree::unary& e);
  void expect(const tree::unary& e);
  void loop(const tree::loop& e);
  void count(const tree::count& e);
  // Set to 0 where express clauses may begin in a loop; none: nowhere.
  value rounds();
  void back_edge(value rounds);
  void text_of(const expressions& parts, bool spaced);

  // ---- messages (sends.cpp)
  struct destination {
    value object = code::none, box = code::none;
    const type* of = nullptr;
    value replied = code::none;  // set to 1 by a reply, where some way through the clause has none
  };
  void past(const tree::send& e);
  values now(const tree::send& e);
  void send(const tree::send& e, const std::function<values()>& to);
  void put_all(value box, int first, const values& v, const type* of);
  values create(const tree::create& e);
  void reply_to(const destination& d, const values& v, span where);
  value open_box(int words, bool watched);
  values take_reply(value box, const type* of, bool only_one, span where);
  values sync(const tree::sync& e, const type* want);
  value future_of(const expression& e, span where);
  values touch(const tree::unary& e);

  // ---- clauses (clauses.cpp)
  void script(const class_def& c);
  // Looks for a message that one of the clauses takes, and executes that; then goes on at `after` with `result` (its
  // words, if there are any).
  struct taking {
    const std::vector<clause>* clauses;
    bool of_script = false;
    const type* want = nullptr;
    values result;
    int after = -1;
  };
  void accept(const taking& t);
  // Goes to the first clause that fits the message in `box`; `no`: where none does.
  void choose_clause(const std::vector<const clause*>& clauses, value box, value selector, int no,
                     const std::function<void(const clause&)>& taken);
  // On at `no` unless the words of a value, of type `of`, are those of the literal.
  void require_equal(const values& v, const expression& literal, const type* of, int no);
  // Whether the elements of the message fit the literals of `c`, and its guard is true; else on at `no`.
  void test(const clause& c, value box, int no);
  values elements_of(const clause& c, std::size_t i, value box);
  void execute(const clause& c, value box, const taking& t);
  void match(const tree::match& e, const type* want, const values& result, int after);
  void bind(const variable& v, values to);
  void express_clauses(const tree::cases& s);
  void leave_to_express_clauses(value message, int kept, int mine);
  // Whom the clause that is executed owes a reply, for when it is left; none: nobody.
  void owe(value object, value box);
  void require_reply(const destination& owed);
  void clause_is_left();
  void leave_instead(const clause& c, value box);
  void leave_asker(value object, value box);

  const program& of_;
  const sources& texts_;
  const class_def& start_;
  code::program out_;
  std::map<const class_def*, int> class_numbers_;
  std::map<const function_def*, int> function_numbers_;
  growing::numbers known_;
  bool start_has_name_ = true;   // which places in the text of its class show
  bool wide_ = false;            // all names have two words
  bool nil_replies_ = false;     // a destination may be nil
  bool future_replies_ = false;  // or a future
  bool leaves_ = false;          // it has (non-resume): who waits for a reply of a clause that is left, is left, too

  // The text that is written, and what is known there:
  code::text* text_ = nullptr;
  int current_ = 0;
  int next_value_ = 0;
  const class_def* class_ = nullptr;
  std::string message_;   // of the clause
  std::string function_;  // of a function its name
  struct {
    int number = -1;
    span where;
    const class_def* of = nullptr;
    std::string message, function;
  } last_;  // what site() found last, and for what
  span where_;
  std::map<const variable*, values> locals_;
  std::map<const variable*, int> words_;  // of state and creation arguments: where in the segment
  std::map<const variable*, value> boxes_;
  destination answer_;
  int open_boxes_ = 0;
  int creations_ = 0;
  int loops_ = 0;
  bool express_clause_ = false;  // in an express clause
};

}  // namespace abcl
