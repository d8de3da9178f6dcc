// What compiled programs and the machine have agreed upon: what packets enter, and where objects and nodes keep what.
#pragma once

#include <cstdint>

#include "abcl/check/limits.hpp"

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
  idle,      // the same as accepting, but outside of clauses, and no express clause may begin
  ended,     // takes no message any more
  finished,  // the same as busy, but it will do nothing any more
};
inline constexpr int reactives = 11;
// What a packet to a node enters. The first three answer with a name; the others, and what they go on at, are the
// collector's, which only programs that are compiled with it have (registers/collector.cpp).
enum class handler : std::uint8_t {
  box,        // for a message, or a reply
  large_box,  // of as many words as r1 says
  create,     // an object of class r1
  collect,    // to node 0: it is time to collect
  flush,      // the program's packets from who sends it have come, and no more will
  mark,       // what the word refers to can be reached
  token,      // a round that counts marks on their way
  sweep,      // all that can be reached is marked
  sweep_on,   // (an address) the next object
  swept,      // to node 0: a node has swept
};
inline constexpr int handlers = 10;

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
inline constexpr int free_boxes = 0, stock = 16;

// In a program that is compiled with a collector a node has these, too. `phase`: 0 the program runs, 1 its packets are
// held, 2 the node's roots have been marked. `countdown`: how many objects may still be made until it is time to
// collect; `between`: with how many it begins; `at_a_time`: how many segments are made. From `reserve` on, for each
// class, half of its segments that the last collection left ready, which come when there are no others in stock; from
// `ready` on how many of them have not been counted as used. `markers`: how many nodes have said that no more comes.
// `marks`: those sent, less those received. `black`: 1 if one was received since the token was here. `token`: one that
// waits, if `has_token`. `segments`: a chain of all. `sweep_on`: the address. Of node 0: whether it collects, how many
// have swept. `classes`: how many there are.
inline constexpr int phase = 1, countdown = 2, between = 3, markers = 4, marks = 5, black = 6, token = 7, has_token = 8,
                     segments = 9, next_to_sweep = 10, collecting = 11, have_swept = 12, classes = 13, at_a_time = 14,
                     most_collected_classes = most_classes / 3, reserve = stock + most_collected_classes,
                     ready = reserve + most_collected_classes;
// A segment has these words in front of it: whether it has been marked (2: it is in stock), the next one in the chain,
// and the addresses of its class's code that marks what it refers to, and that makes it ready for another object.
inline constexpr int colour = -1, segment_behind = -2, at_mark = -3, at_free = -4, of_header = 4;
}  // namespace words

}  // namespace abcl::code
