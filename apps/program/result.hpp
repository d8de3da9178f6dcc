// What a benchmark prints at its end: for people, or as one line of JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace program {

struct result {
  std::string program;           // "cg"
  std::string input_key;         // "class" or "matrix"
  std::string input;             // "A", or a file
  std::string exchange;          // how data moved between the PEs; empty where there is one way only
  std::optional<bool> verified;  // nothing: there is no value to compare with
  double seconds = 0;
  std::optional<double> mops;
  std::vector<std::pair<std::string, std::int64_t>> counts;  // what was found, by name: "triangles"
  std::vector<std::pair<std::string, double>> figures;       // what else was measured, by the names of the field

  // Only in JSON: what this program alone tells, a name and a value in JSON each.
  std::vector<std::pair<std::string, std::string>> fields;

  // Only for people: what was solved, in a line; and lines between the verdict and the time, a name and a value each.
  std::string about;
  std::vector<std::pair<std::string, std::string>> details;
};

// Prints on PE 0. Local.
void print(const result& of, bool json);

// The exit code that tells it.
int exit_code(const result& of);

}  // namespace program
