// What compiled programs and the machine have agreed upon: what packets enter, and where objects and nodes keep what.
#pragma once

#include <cstdint>

namespace abcl::code {

// What a packet to an object enters: its reactive text has a sequence for each.
enum class entry : std::uint8_t {
  message,  // a box with a message
  express,  // the same, of an express message
  reply,    // a box whose words have been written
  future,   // a box with a value of a future
  start,    // its creation arguments have been written
  answer,   // a node has answered: goes on at the place that the object has kept, by matching, without a text
  left,     // a reply will not come, since who owes it has left its clause
};
inline constexpr int entries = 7;
// The reactive texts: what an object does with a packet depends on the one that it is linked to.
enum class reactive : std::uint8_t {
  busy,          // works, or waits for an answer
  dormant,       // waits for any message
  accepting,     // for a message, which it may not want
  waiting_one,   // for the only reply that can come
  waiting,       // for a reply, beside others
  dormant_open,  // the same as dormant, but express clauses may begin; so the next two
  accepting_open,
  waiting_open,
  ended,  // takes no message any more
};
inline constexpr int reactives = 9;
// What a packet to a node enters; each answers with a name.
enum class handler : std::uint8_t {
  box,        // for a message, or a reply
  large_box,  // of as many words as r1 says
  create,     // an object of class r1
};
inline constexpr int handlers = 3;

namespace words {
// The words of an object's segment.
inline constexpr int reactive = 0;        // the number of the text that it is linked to
inline constexpr int place = 1;           // the address where it goes on when what it waits for has come
inline constexpr int at_message = 2;      // the address where its class takes a message
inline constexpr int head = 3, tail = 4;  // the boxes of the messages that wait, a chain
inline constexpr int awaited = 5;         // the box of the reply, or the future, that it waits for beside others; while
                                          // it accepts: the address where it looks again behind express clauses
inline constexpr int ahead = 6;           // the last box of express messages, which are first in the chain; or 0
inline constexpr int interruptible = 7;   // 1: its class has express clauses, and the words from here on
inline constexpr int at_express = 8;      // the address where they take a message
inline constexpr int early_head = 9, early_tail = 10;  // the boxes of the messages that wait for them
// What an express clause has interrupted: these two words, and what it was doing (registers/interruption.cpp).
inline constexpr int kept_place = 11, kept_awaited = 12, kept_reactive = 13;
inline constexpr int interrupt_depth = 14;  // in how many atomic forms it is: above 0, no express clause begins
inline constexpr int dropped = 15;          // 1: (non-resume) has been said, what was interrupted is to be left
// Where the words of a class begin: one without express clauses, one with them, and any in a program with (non-resume).
// That has, in all of its classes, whom the clause owes a reply: the object and its box, or 0.
inline constexpr int plain_object = 8, express_object = 16;
inline constexpr int asker_object = 16, asker_box = 17, leaving_object = 18;

// The words of a box: the next one of its chain, or what is known of the reply that it is for; its message, or the last
// value of a future, whose box this is; from `first` on what it carries. So many it has, unless it is a large one.
inline constexpr int next = 0, message = 1, first = 2, of_box = 32;
// What `next` says of a reply; 0: nothing has come.
inline constexpr int has_come = 1, will_not_come = 2;

// A node has these at the addresses from 0: a chain of free boxes; from `stock` on, for each class, segments that are
// ready for objects, a chain by their words `tail`.
inline constexpr int free_boxes = 0, stock = 16, most_classes = 4080;
}  // namespace words

}  // namespace abcl::code
