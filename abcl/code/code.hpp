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

#include "abcl/code/convention.hpp"
#include "abcl/code/opcode.hpp"
#include "abcl/code/shared_vector.hpp"

namespace abcl::code {

// A virtual value or a register; below 0, what addresses memory beside them.
using value = int;
inline constexpr value none = -1;
inline constexpr value segment = -2;  // of the object that runs
inline constexpr value node = -3;     // the words of its node: free lists, neighbours
inline constexpr value frame = -4;    // of the function that runs
inline constexpr int registers = 10;

struct instruction {
  opcode what = opcode::end;
  std::int16_t note = 0;  // for a recorder: one of notes
  value d = none, a = none, b = none, c = none;
  std::int64_t k = 0;
  int t = -1, u = -1;  // blocks; of some, something else
  int site = -1;       // where it stands in the program
};

// What instructions say of what they are for: a recorder reads it (abcl/machine/recorder.hpp), they do the same with
// any other. 0: nothing.
namespace notes {
// release and give_box say what was in the box. `within`: a clause that runs already has taken the message.
inline constexpr std::int16_t message = 1, message_within = 2, message_express = 3, reply = 4;
// link says that the object waits for a message within a clause; an express clause begins; the wait goes on that
// express clauses have interrupted.
inline constexpr std::int16_t in_clause = 1, interrupts = 2, goes_back = 3;
// keep_place says that express clauses run where the object would begin to wait.
inline constexpr std::int16_t before_wait = 1;
// go says that the express clauses have ended.
inline constexpr std::int16_t resumes = 1;
// load says that the value of a future is used, which is in the box that is loaded.
inline constexpr std::int16_t touches = 1;
// put says what the word is, as one of these.
inline constexpr char integer = 'i', real = 'f', boolean = 'b', object = 'o', reply_destination = 'r', future = 'u',
                      no_value = '-';
}  // namespace notes

// Ends with one instruction that ends a block. That is the only one to name others, but for `keep_place`.
struct block {
  std::string note;      // what begins here
  bool express = false;  // it is part of an express clause
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
  // Where it goes on after a clause: to look for the next message. After an express clause: a block that ends with
  // resume.
  int at_next = -1, at_resume = -1;
  // Where it goes on when a clause is left, in a program with (non-resume).
  int at_left = -1;
  int words = 0;  // of a class: in front of what is kept over waits; of a function: its arguments and results
  bool interruptible = false;  // express clauses may run where it waits
};

struct class_info {
  std::string name;
  int text = 0;
  int arguments = 0;   // words of creation arguments, which come first
  int state = 0;       // words of both
  int first = 0;       // where they begin in the segment
  std::string refers;  // for each of the state's words: 'o' the name of an object, 'a' an array with some, else ' '
};

struct function_info {
  std::string name;
  int text = 0;
  int arguments = 0, results = 0;  // words
  int site = -1;                   // where it is written
};

// A type of messages. An object tells messages apart by their tag and by how many elements they have, whatever the
// types of these: that is the kind, the number of the first row with both.
struct selector_info {
  std::string name;  // as its type is written
  int words = 0;
  bool asks = false;
  std::string key;  // its tag, and how many elements it has
  int kind = 0;
};
// So many types a program may have: a message's word says both.
inline constexpr int most_selectors = 1 << 15;

// What each word of an array's element, or of a value, is. 0: a number or a name; 1: a text; n + 2: an array
// with layout n.
using layout = std::vector<int>;

// What is waited for at a place, for reports of deadlocks.
struct wait_info {
  std::string what;      // "": nothing is waited for there
  bool asks = false;     // for the reply of whom the object has sent to last
  bool express = false;  // by an express clause
  bool operator==(const wait_info&) const = default;
};

struct site_info {
  std::string file;
  int line = 0;
  std::string of_class, message;
  wait_info wait;
};

struct program {
  std::vector<text> texts;
  std::vector<class_info> classes;
  std::vector<function_info> functions;
  std::vector<selector_info> selectors;
  shared_vector<std::string> strings;
  std::vector<layout> layouts;
  shared_vector<site_info> sites;
  int start = -1;        // the class
  bool express = false;  // some messages are sent as express messages
  // Objects are collected once a node has made so many; 0: never; below 0: the program is compiled without a collector.
  int collect_every = -1;
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

}  // namespace abcl::code
