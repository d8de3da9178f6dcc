// The language of messages, made from the typed tree.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "abcl/check/tree.hpp"
#include "abcl/code/code.hpp"

namespace abcl {

// All classes and functions of the program, which starts with an object of `start`.
code::program to_messages(const program& p, const sources& texts, const class_def& start);

// How many words a value has. `wide`: every name has two (tables.hpp).
int words_of(const type* t, bool wide);

// A program that grows, as that of the prompt does. What it has been made into so far keeps its numbers, and since
// nobody knows what comes, it expects all that there may be: objects that stand for destinations, express messages,
// clauses that are left.
struct growing {
  // By what each entry of its tables is found.
  struct numbers {
    std::map<std::string, int> selectors, kinds, texts;
    std::map<code::layout, int> layouts;
    std::map<std::pair<int, std::string>, int> sites;
  };

  code::program tables;                     // all but the texts
  numbers known;                            // of the tables; if empty, made from them
  std::map<const class_def*, int> classes;  // of those whose texts have been made, in `p`: their numbers
  std::map<const function_def*, int> functions;
};
// The texts that have not been made, and that of `start`, whose number is `start_number` each time, and whose name is
// shown to nobody. `so_far` gets their numbers.
code::program more_messages(const program& p, const sources& texts, const class_def& start, int start_number,
                            growing& so_far);

}  // namespace abcl
