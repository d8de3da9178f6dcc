// What compiled programs and the machine have agreed upon: what packets enter, and where objects and nodes keep what.
#pragma once

#include <cstdint>

namespace abcl::code {

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
                     kept_reactive = 13, interrupt_depth = 14, dropped = 15, express_object = 16;
// In a program with (non-resume), and in all its classes: whom the clause owes a reply.
inline constexpr int asker_object = 16, asker_box = 17, leaving_object = 18;
// A box has the next one, or what is known of the reply; the message; then its words.
inline constexpr int next = 0, message = 1, first = 2, of_box = 32;
// `next` of a box for a reply that somebody waits for. 0: nothing has come.
inline constexpr int has_come = 1, will_not_come = 2;
// A node has these at the addresses from 0. From `stock` on, for each class: segments that are ready for objects, a
// chain by their words `tail`.
inline constexpr int free_boxes = 0, stock = 16, most_classes = 4080;
}  // namespace words

}  // namespace abcl::code
