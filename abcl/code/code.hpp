// The two lower languages of the compiler. Both are instructions on values in blocks of a text:
//
//   messages    what an object does, step by step: a box is reserved, written, delivered; where it waits, and what for.
//               Values are virtual, %1, %2, .., as many as are wanted.
//   registers   the same for a machine of packets, links and ten registers, r0 .. r9 (abcl/machine).
//
// They share the instructions that compute, load, store and branch; each has its own for messages. Each has a printed
// form, which print.hpp makes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/code/shared_vector.hpp"

namespace abcl::code {

// A virtual value or a register; below 0, what addresses memory beside them.
using value = int;
inline constexpr value none = -1;
inline constexpr value segment = -2;  // of the object that runs
inline constexpr value node = -3;     // the words of its node: free lists, neighbours
inline constexpr value frame = -4;    // of the function that runs
inline constexpr int registers = 10;

enum class opcode : std::uint8_t {
  // ---- of messages only
  reserve,         // d: a box of k words at the node of a; waits, goes on at t
  deliver,         // box b, as a message with selector k, to object a
  deliver_early,   // the same, as an express message
  deliver_reply,   // box b, to the object a that waits for it
  deliver_future,  // box b, to the future c of object a
  deliver_left,    // to the object a: the reply in box b will not come, since who owes it has been left
  create,          // d: an object of class k at node a; waits, goes on at t
  start,           // the object a, whose arguments have been written
  open_box,        // d: a box of k words for a reply
  await_one,       // waits for the reply in box a, the only one that is open; goes on at t
  await,           // waits for the reply in box a, if it is not there; goes on at t
  await_future,    // waits until the future a has a value; goes on at t
  await_outside,   // d: of the library's function k, which waits; goes on at t
  release,         // the box a
  open_future,     // d: a future
  first,           // d: the first message that waits, or 0
  following,       // d: the one behind message a, or 0
  take_out,        // message a, behind message b (0: the first), from those that wait
  put_back,        // message a, to those that wait; k: 1 to those that wait for express clauses
  await_message,   // waits for a message, which goes on at t; looks again at u when express clauses have run; k: 1
                   // within a clause
  next,            // the clause has ended; d: the next message, with which it goes on at t
  pause,           // lets other objects run; goes on at t
  poll,            // lets express clauses run; goes on at t
  poll_messages,   // the same, where messages are looked for at t
  interrupt,       // an express clause begins
  resume,          // it has ended; d: the next express message, with which it goes on at t
  enter_atomic,
  leave_atomic,
  drop_interrupted,  // (non-resume)
  finish,            // the object takes no more messages; k: 1 if it ends
  // ---- of registers only
  send,        // a packet to entry k of object a, with b
  ask_node,    // a packet to handler k of the node of a, with b
  link,        // the object's reactive text is k
  end,         // of this sequence
  go,          // on at the address a
  keep_place,  // the address of t is stored in word k of the segment
  give_box,    // the box a is the first of the node's free ones
  // ---- of both
  put,          // b into word k of box or object a, wherever it is
  put_heap,     // the same, of a text or an array: a copy, whose layout is u
  incoming,     // d: the datum that this sequence begins with
  pack,         // d: message with selector k in box a
  pack_early,   // the same, an express message
  selector,     // d: of message a
  box_of,       // d: of message a
  name_box,     // d: the name of the local box a
  name_future,  // d: the name of the local future a
  pair,         // d: box a for future b
  is_future,    // d: whether the destination a is a future
  is_early,     // d: whether the message a is an express message
  set,          // d: k
  text,         // d: the constant text k
  me,           // d: the name of the object that runs
  neighbour,    // d: the name of the k-th neighbour
  neighbours,   // d: that of neighbours by turns
  node_at,      // d: the name of node a
  move,         // d: a
  add,
  subtract,
  multiply,
  divide,
  modulo,  // d: of a and b, or of a and k if b is none
  add_real,
  subtract_real,
  multiply_real,
  divide_real,
  negate_real,
  root,
  to_integer,
  to_real,
  equal,
  unequal,
  less,
  at_most,
  less_real,
  at_most_real,
  equal_real,
  unequal_real,
  flip,   // d: 1 for 0, 0 for 1
  load,   // d: word k of a
  store,  // b into word k of a
  jump,   // t
  if_equal,
  if_unequal,
  if_less,
  if_at_most,
  if_greater,
  if_at_least,  // a and b, or a and k: t, else u
  argument,     // a is argument k of the next call
  call,         // the function k; goes on at t
  result,       // d: result k of the last call
  give_result,  // a is result k
  leave,        // the function
  service,      // d: what the machine does for it: k of services, with a, b, c, and u
  fail,         // the job ends: message k of the texts
};
inline constexpr int opcodes = static_cast<int>(opcode::fail) + 1;

// What is asked of the machine itself: texts, arrays, output. A layout is a number of program::layouts.
enum class service : std::uint8_t {
  make_array,     // d: of a elements with layout u
  set_all,        // word u of each element of array a is c
  element,        // d: word u of element b of array a
  set_element,    // word u of element b of array a is c
  length,         // d: of array a
  text_length,    // d: of text a
  compare_texts,  // d: below, equal or above 0 for a and b
  begin_text,     // a new line, or text, is begun
  append_int,
  append_real,
  append_bool,
  append_text,
  append_name,  // a, b
  append_array,
  end_text,  // d: the text
  say,       // the text, as a line of output
  my_node,
  node_count,
  exit,         // with status a
  refill,       // d: a new chain of free boxes
  large_box,    // d: a box of a words
  fill_stock,   // d: segments for objects of class a, a chain
  no_reply,     // a clause has ended without a reply to box b of object a
  ended,        // the object takes no more
  refuse,       // message a has come to an object that has ended
  library,      // d: of the library's function u, of a, b, c
  ask_outside,  // the library's function u, which waits: an answer comes to the object
};

struct instruction {
  opcode what = opcode::end;
  value d = none, a = none, b = none, c = none;
  std::int64_t k = 0;
  int t = -1, u = -1;  // blocks; of some, something else
  int site = -1;       // where it stands in the program
};

// What instructions say in `u` of what they are for: a recorder reads it (abcl/machine/recorder.hpp), they do the same
// with any other.
namespace notes {
// release and give_box say what was in the box. `within`: a clause that runs already has taken the message.
inline constexpr int message = 1, message_within = 2, message_express = 3, reply = 4;
// link says that the object waits for a message within a clause; an express clause begins; it takes no more.
inline constexpr int in_clause = 1, interrupts = 2, finishes = 3;
// go says that the express clauses have ended.
inline constexpr int resumes = 1;
// load says that the value of a future is used, which is in the box that is loaded.
inline constexpr int touches = 1;
// start, and what sends that, have the class; put says what the word is, as one of these.
inline constexpr int integer = 'i', real = 'f', boolean = 'b', object = 'o', reply_destination = 'r', future = 'u',
                     no_value = '-';
}  // namespace notes

// Ends with one instruction that ends a block. That is the only one to name others, but for what `names_block` says.
struct block {
  std::string note;     // what begins here
  bool urgent = false;  // it is part of an express clause
  std::vector<instruction> steps;
};

// A text: the code of a class, or of a function.
struct text {
  std::string name;
  bool of_function = false;
  std::vector<block> blocks;
  std::vector<std::string> notes;  // of values: the variables that they are
  // Blocks where it begins: of a class, its body (0), a message, an express message; of a function, 0.
  int at_message = -1, at_express = -1;
  // Where it goes on after a clause, and after an express clause: blocks that end with next and resume.
  int at_next = -1, at_resume = -1;
  // Where it goes on when a clause is left, in a program with (non-resume).
  int at_left = -1;
  int words = 0;  // of a class: in front of what is kept over waits; of a function: its arguments and results
  bool interruptible = false;  // express clauses may run where it waits
};

struct class_info {
  std::string name;
  int text = 0;
  int arguments = 0;  // words of creation arguments, which come first
  int state = 0;      // words of both
  int first = 0;      // where they begin in the segment
};

struct function_info {
  std::string name;
  int text = 0;
  int arguments = 0, results = 0;  // words
};

// What a message is known by.
struct selector_info {
  std::string name;  // as its type is written
  int words = 0;
  bool asks = false;
  std::string key;  // its tag, and how many elements it has: equal in equal messages
};

// What each word of an array's element, or of a value, is. 0: a number or a name; 1: a text; n + 2: an array
// with layout n.
using layout = std::vector<int>;

struct site_info {
  std::string file;
  int line = 0;
  std::string of_class, message;
};

struct program {
  std::vector<text> texts;
  std::vector<class_info> classes;
  std::vector<function_info> functions;
  std::vector<selector_info> selectors;
  shared_vector<std::string> strings;
  std::vector<layout> layouts;
  shared_vector<site_info> sites;
  int start = -1;                     // the class
  bool express = false;               // some messages are sent as express messages
  std::vector<char> start_arguments;  // of it: i, f or s for each; a: all words, as an array of texts
};

// What an instruction does to values and blocks, for the passes.
struct shape {
  std::string_view name;
  std::string_view operands;  // as they are printed: see print.cpp
  bool ends_block = false;
  bool waits = false;  // no register keeps its value; goes on at t
};
const shape& shape_of(opcode what);

bool ends_block(opcode what);
// A register is not kept over it.
bool waits(opcode what);
// The blocks that may follow.
void successors(const instruction& i, std::vector<int>& into);
// What it reads.
inline void uses(const instruction& i, const auto& each) {
  if (i.a >= 0) each(i.a);
  if (i.b >= 0) each(i.b);
  if (i.c >= 0) each(i.c);
}

// What a packet to an object enters: its reactive text has a sequence for each. `answer` is matched with the place that
// the object has kept, without a text.
enum class entry : std::uint8_t { message, express, reply, future, start, answer, left };
inline constexpr int entries = 7;
// The reactive texts: what an object does with a packet depends on the one that it is linked to.
enum class reactive : std::uint8_t {
  busy,
  dormant,       // waits for any message
  accepting,     // for a message, which it may not want
  waiting_one,   // for the only reply that can come
  waiting,       // for a reply, beside others
  dormant_open,  // the same, and may be interrupted by express messages
  accepting_open,
  waiting_open,
  ended,
};
inline constexpr int reactives = 9;
// What a packet to a node enters. `large_box` and `create` have a number with them, r1: words; the class.
enum class handler : std::uint8_t { box, large_box, create };
inline constexpr int handlers = 3;

// The words of an object's segment, and of a node.
namespace words {
inline constexpr int reactive = 0, place = 1, at_message = 2, head = 3, tail = 4, awaited = 5, ahead = 6,
                     interruptible = 7;
inline constexpr int plain_object = 8;  // where the words of a class begin that has no express clauses; else there are
inline constexpr int at_express = 8, early_head = 9, early_tail = 10, kept_place = 11, kept_awaited = 12,
                     kept_reactive = 13, doors = 14, dropped = 15, urgent_object = 16;
// In a program with (non-resume), and in all its classes: whom the clause owes a reply.
inline constexpr int asker_object = 16, asker_box = 17, leaving_object = 18;
// What a box has instead of 1 when the reply that is waited for will not come.
inline constexpr int will_not_come = 2;
// A box has the next one, or whether it has a value; the message; then its words.
inline constexpr int next = 0, message = 1, first = 2, of_box = 32;
// A node has these at the addresses from 0. From `stock` on, for each class: segments that are ready for objects, a
// chain by their words `tail`.
inline constexpr int free_boxes = 0, stock = 16, most_classes = 4080;
}  // namespace words

}  // namespace abcl::code
