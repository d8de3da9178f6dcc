// The nodes of the tree: what an expression of each kind consists of. What has no node here, as `nil` and `me`, is an
// expression and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abcl/check/expression.hpp"
#include "abcl/check/library.hpp"

namespace abcl {

struct class_def;
struct function_def;

// The operators of op::compute.
enum class operation {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  equal,
  unequal,
  less,
  greater,
  at_most,
  at_least,
  both,
  either,
  negate,
  square_root,
  to_integer,
  to_real,
  to_text,
};

struct pattern_element {
  variable* bound = nullptr;  // null: a literal, or `_`
  expression_ptr literal;     // null: a name, or `_`
};

struct clause {
  span where;
  span tag;  // of the message; empty: it has none
  bool express = false;
  bool replies = false;         // `==>`: `!` in it answers this message
  const type* takes = nullptr;  // the message type, with its reply destination; null in what is wrong
  std::vector<pattern_element> pattern;
  expression_ptr guard;  // null: none
  expressions body;
  const type* of = nullptr;  // of its last expression

  bool has_literals() const;
  // Whether it takes each message of its kind.
  bool takes_all() const { return guard == nullptr && !has_literals(); }
  void each_part(const expression::visitor& f) const;
};

namespace tree {

template <op... kinds>
struct of_kind : expression {
  static constexpr bool is(op what) { return ((what == kinds) || ...); }
};

// ---- values

struct integer : of_kind<op::integer, op::boolean> {
  std::int64_t value = 0;  // of a boolean: 0 or 1
};

struct real : of_kind<op::real> {
  double value = 0;
};

struct text : of_kind<op::text> {
  std::string value;
};

// A variable whose value is taken, or a reply box that becomes a destination.
struct name : of_kind<op::use, op::destination> {
  variable* var = nullptr;
};

// A message or tuple. Its tag is in its type.
struct message : of_kind<op::message> {
  expressions elements;
  void each_part(const visitor& f) const override;
};

struct compute : of_kind<op::compute> {
  operation does = operation::add;
  expressions operands;
  void each_part(const visitor& f) const override;
};

struct call : of_kind<op::call> {
  const function_def* function = nullptr;
  expressions arguments;
  void each_part(const visitor& f) const override;
};

struct library_call : of_kind<op::library> {
  const library_function* function = nullptr;
  expressions arguments;
  void each_part(const visitor& f) const override;
};

struct make_array : of_kind<op::make_array> {
  expression_ptr length;
  expression_ptr first;  // each element is this
  void each_part(const visitor& f) const override;
};

struct element : of_kind<op::element> {
  expression_ptr array;
  expression_ptr index;
  void each_part(const visitor& f) const override;
};

// Its elements from `from` to before `to`.
struct subarray : of_kind<op::subarray> {
  expression_ptr array;
  expression_ptr from;
  expression_ptr to;
  void each_part(const visitor& f) const override;
};

// What is done with one value.
struct unary
    : of_kind<op::reply, op::touch, op::next_value, op::is_ready, op::length, op::is_null, op::expect, op::exit> {
  expression_ptr operand;
  void each_part(const visitor& f) const override;
};

// ---- messages

// A send by `past`, `now` or `future`.
struct send : of_kind<op::past, op::now, op::future> {
  expression_ptr target;
  expressions elements;            // of the message, where it is written here
  expression_ptr whole;            // else the value that is the message, or that is replied
  expression_ptr future;           // where the reply goes; null: not to a future
  const type* selector = nullptr;  // the message type of the receiver that takes it; null: it is a reply destination
  span tag;                        // of the message, where it is written here; empty: it has none
  bool express = false;
  void each_part(const visitor& f) const override;

  // How many elements the sender gives; the reply destination is among them, or not.
  std::size_t given() const { return whole != nullptr ? whole->of->parts.size() : elements.size(); }
  // It takes a reply that nobody waits for.
  bool drops_reply() const {
    return what == op::past && selector != nullptr && selector->wants_reply() && given() < selector->parts.size();
  }
};

struct create : of_kind<op::create> {
  const class_def* of_class = nullptr;
  expressions arguments;
  expression_ptr node;  // where it is created; null: nearby
  void each_part(const visitor& f) const override;
};

// The value of `sync` is that of its box; of the others a tuple of those of the boxes and, where it is there, of
// `last`.
struct sync : of_kind<op::sync, op::sync2, op::sync_all> {
  std::vector<variable*> boxes;
  expressions body;
  expression_ptr last;  // null: none
  void each_part(const visitor& f) const override;
};

// ---- control

// `sequence` and `atomic`.
struct block : of_kind<op::sequence, op::atomic> {
  expressions body;
  void each_part(const visitor& f) const override;
};

struct choose : of_kind<op::choose> {
  expression_ptr condition;
  expression_ptr yes;
  expression_ptr no;  // null: nothing is done
  void each_part(const visitor& f) const override;
};

struct loop : of_kind<op::loop> {
  expression_ptr condition;
  expressions body;
  void each_part(const visitor& f) const override;
};

// A loop that counts from `first` to below `end`.
struct count : of_kind<op::count> {
  variable* counter = nullptr;
  expression_ptr first;
  expression_ptr end;
  expressions body;
  void each_part(const visitor& f) const override;
};

struct let : of_kind<op::let> {
  struct declared {
    variable* var = nullptr;
    expression_ptr first;  // null: nothing is said
  };
  std::vector<declared> variables;
  expressions body;
  void each_part(const visitor& f) const override;
};

// `script` and `wait-for`, whose clauses take messages, and `match`.
struct cases : of_kind<op::script, op::wait_for, op::match> {
  std::vector<clause> clauses;
  void each_part(const visitor& f) const override;

  bool take_messages() const { return what != op::match; }
};

struct match : cases {
  static constexpr bool is(op what) { return what == op::match; }
  expression_ptr value;
  void each_part(const visitor& f) const override;
};

struct assign : of_kind<op::assign> {
  expression_ptr place;  // a variable's name, an element, or a part of an array
  expression_ptr value;
  void each_part(const visitor& f) const override;
};

struct print : of_kind<op::print> {
  expressions values;
  void each_part(const visitor& f) const override;
};

}  // namespace tree
}  // namespace abcl
