// A suite: the programs of a scaling study, and with which arguments each is run on how many PEs. It is a TOML file.
//
//   about = "one line: what it is"
//   pes = "1,4,16,...,4096"               # if an application does not say
//
//   [[application]]
//   name = "histogram"                    # in tables and pictures
//   program = "histogram"                 # beside the command tsubu or in the PATH; with a "/" from the file's folder
//   arguments = ["--json"]                # always
//   strong = ["--updates", "{1e6 / pes}"] # the same work in all, however many PEs
//   weak = ["--updates", "20000"]         # the same work for each PE
//   field = "seconds"                     # of the program's line of JSON; "": the time of the whole job
//   work = "annotated"                    # or "measured"
//   pes = "1,2,4"                         # other numbers than the suite's
//   note = "one line that is set beside its figures"
//
// An argument may hold sums in braces, of numbers and the number of PEs, which are rounded: {4e6 / pes}, {2048 *
// sqrt(pes)}, {14 + log2(pes)}.
#pragma once

#include <string>
#include <vector>

namespace tsubu::command {

enum class scaling { strong, weak };
inline const char* name_of(scaling how) { return how == scaling::strong ? "strong" : "weak"; }

struct suite_application {
  std::string name;
  std::string program;
  std::string field = "seconds";
  std::string work = "annotated";
  std::string note;
  std::vector<std::string> arguments, strong, weak;
  bool has_strong = false, has_weak = false;
  std::vector<int> pes;
};

struct suite {
  std::string file, about;
  std::vector<suite_application> applications;
};

// Reads a file, or with "" the suite that comes with Tsubu. What is wrong ends the process with exit code 2 and one
// line: the file, the line of it, the key and what was expected.
suite read_suite(const std::string& file);

// What an argument says on so many PEs. With `trouble`, "" comes back of one that cannot be read, and why.
std::string argument_on(const std::string& argument, int pes, std::string* trouble = nullptr);

}  // namespace tsubu::command
