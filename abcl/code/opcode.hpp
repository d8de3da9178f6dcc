// What an instruction of the two lower languages does (code.hpp).
#pragma once

#include <cstdint>

namespace abcl::code {

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
  first,           // d: the box of the first message that waits, or 0
  following,       // d: the box behind box a, or 0
  take_out,        // box a, behind box b (0: it is the first), from those that wait
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
  kind_of,      // d: of message a (selector_info)
  box_of,       // d: of message a
  name_box,     // d: the name of the local box a
  name_future,  // d: the name of the local future a
  pair,         // d: box a for future b
  future_of,    // d: of such a pair a
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
  make_array,        // d: of a elements with layout u
  set_all,           // word u of each element of array a is c
  element,           // d: word u of element b of array a
  set_element,       // word u of element b of array a is c
  length,            // d: of array a
  subarray,          // d: a new array of the elements b to before c of array a
  require_subarray,  // array a has elements b to before c
  require_length,    // array a has as many elements as there are from b to before c
  set_subarray,      // the elements of array a from b on are those of array c
  text_length,       // d: of text a
  compare_texts,     // d: below, equal or above 0 for a and b
  begin_text,        // a new line, or text, is begun
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
  // ---- for the collector
  hold,          // packets of the program wait from now on
  release_held,  // they come behind this sequence
  held_words,    // d: how many words those that wait have
  held_word,     // d: word a of them
  refers,        // d: a node that has what the word a may refer to; 0: it is no name of an object, and no array
  segment_of,    // d: the segment of this node that the word a names; 0: none
  array_words,   // d: how many words the array a has; 0: it is none
  array_word,    // d: word b of the array a
  next_box,      // d: the box behind box a in the node's memory; a 0: the first; d 0: there is none
  box_end,       // d: the address behind box a
};
inline constexpr int services = static_cast<int>(service::box_end) + 1;

}  // namespace abcl::code
