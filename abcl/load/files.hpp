// A program from its files: the one that is named, and those that it uses.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "abcl/check/check.hpp"

namespace abcl {

struct loaded {
  sources texts;
  std::list<forms> read;  // of each text
  diagnostics said;       // in the order of their places
  std::unique_ptr<program> checked;
  bool unreadable = false;  // the reader has found errors in the first text
};

// Reads `path` ("-": the standard input), what it uses, and checks all of it. Throws std::runtime_error if `path`
// cannot be read.
loaded load(const std::string& path);

// The same for a text that is there already, as an editor has it. What it uses is looked for beside `path`.
loaded load_text(const std::string& path, std::string text);

// The forms of `path`, whose text that is, and those of the files that it uses, behind what has been read.
void read_files(const std::string& path, std::string text, sources& texts, std::list<forms>& read, diagnostics& said);
// The text of a file. Throws std::runtime_error if it cannot be read.
std::string text_of_file(const std::string& path);
// The same; "-" is the standard input. Only the command line names that: what a program uses is always a file, for it
// may have come through that stream itself.
std::string contents_of(const std::string& path);

// For a program that is to run: adds errors if it has no class Main that the command line can create.
void require_main(loaded& l);

}  // namespace abcl
