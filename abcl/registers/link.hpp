// A program as the machine executes it: one sequence of instructions, and where what begins in it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::registers {

struct image {
  struct class_code {
    std::string name;
    int begin = 0, at_message = -1, at_express = -1;  // addresses
    int words = 0;                                    // of a segment
    int first = 0;                                    // of its creation arguments
    int at_mark = -1, at_free = -1;                   // addresses, in a program with a collector
  };
  struct function_code {
    std::string name;
    int begin = 0;
    int words = 0;  // of a frame
    int site = -1;
  };
  struct label {
    int at = 0;
    std::string text;
  };

  // In these t is an address, and of `argument` u is how many words the caller's frame has. A branch that is not taken
  // goes on behind it.
  code::shared_vector<code::instruction> code;
  code::shared_vector<label> labels;  // in the order of their addresses
  std::vector<class_code> classes;
  std::vector<function_code> functions;
  std::array<std::array<int, code::entries>, code::reactives> reactive{};
  std::array<int, code::handlers> handlers{};
  std::vector<code::selector_info> selectors;
  code::shared_vector<std::string> strings;
  std::vector<code::layout> layouts;
  code::shared_vector<code::site_info> sites;
  int start = -1;
  std::vector<char> start_arguments;
  int collect_every = -1;  // as in code::program
};

// `p` as translate() has left it, behind the handlers.
image link(const code::program& p);
// More of a program that grows: `p` has the new texts, and its tables are larger than those of `before`, which stays as
// it is within what is returned. Classes and functions without a text in `p` have the code that they had.
image link_more(const code::program& p, image before);

// The sequences of a text in printed form (print.hpp), into `to`: "text NAME", labels, instructions. Throws
// std::runtime_error with the line that is wrong.
struct assembled {
  std::string name;
  int at = 0;
};
std::vector<assembled> assemble(std::string_view text, image& to);

}  // namespace abcl::registers
