// What a program has for those who send messages to its objects: its classes with their messages, its functions, its
// names of types, and the comments at them; and how that is written down.
//
// A comment belongs to what begins on the line below it. A message without one has that of the first clause that takes
// it.
#pragma once

#include <string>
#include <vector>

#include "abcl/load/files.hpp"

namespace abcl {

// Line by line, without semicolons.
using comment_lines = std::vector<std::string>;

struct documented_variable {
  std::string type;
  std::string name;
  comment_lines about;
};

struct documented_message {
  std::string type;
  std::string answer;                // the type of the reply; "": it wants none
  std::vector<std::string> clauses;  // by which it is taken: arrow, pattern and guard, in their order
  comment_lines about;
};

struct documented_class {
  std::string name;
  comment_lines about;
  std::vector<documented_variable> arguments;  // of its creation
  std::vector<documented_message> messages;
  std::vector<documented_variable> state;
  bool tests = false;  // `abcl test` runs it
};

struct documented_function {
  std::string name;
  comment_lines about;
  std::vector<documented_variable> arguments;
  std::string result;
};

struct documented_type {
  std::string name;
  std::string type;  // what it stands for
  comment_lines about;
};

struct documented_file {
  std::string name;                    // as it was opened
  comment_lines about;                 // what it begins with, unless that belongs to a definition
  std::vector<std::string> uses;       // as it names them
  std::vector<documented_type> types;  // with names
  std::vector<documented_class> classes;
  std::vector<documented_function> functions;
};

// A program without errors: its file, then those that it uses.
std::vector<documented_file> documented(const loaded& l);

// For each file a chapter.
std::string as_markdown(const std::vector<documented_file>& files);
// One page that needs no other file, with a table of contents, and links from the classes in types to what they are.
std::string as_html(const std::vector<documented_file>& files);

}  // namespace abcl
