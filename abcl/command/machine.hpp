// Programs on the register machine, which needs no C++ compiler; and their printed forms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abcl/load/files.hpp"
#include "abcl/registers/passes.hpp"

namespace abcl {

struct machine_options {
  registers::options passes;
  bool verify = false;  // whether what each language is left with is right (abcl/registers/verify.hpp)
  bool whole = false;   // print the machine's own texts, too
  bool stats = false;
  bool quiet = false;          // do not show warnings
  std::string start = "Main";  // the class of the first object
  int collect_every = -1;      // code::program's; below 0: without a collector
  std::uint32_t memory = 0;    // words of a node; 0: without a limit
  std::string trace;           // the file for a trace (abcl/machine/trace.hpp); empty: none
};

// The checked program `l`, as `emit` says: "messages" or "registers".
std::string printed(const loaded& l, const std::string& emit, const machine_options& how);

// Whether it has functions or classes of C++, which need that compiler.
bool needs_cpp(const program& p);

// Runs it with these words, of which the first is its name. Returns the exit code.
int run_program(const loaded& l, std::vector<std::string> words, const machine_options& how);

}  // namespace abcl
