// What is wrong with a program: found by any pass, collected, and shown with its line.
#pragma once

#include <string>
#include <vector>

#include "abcl/text/source.hpp"

namespace abcl {

enum class severity { error, warning };

// Another place that explains the error.
struct note {
  span where;
  std::string text;
};

struct diagnostic {
  int number = 0;  // of the list that `abcl explain` knows
  severity weight = severity::error;
  span where;
  std::string message;            // what is wrong, on one line
  std::string label;              // said beside the caret: what was found, or expected
  std::vector<note> notes;        // each with its own line
  std::vector<std::string> help;  // facts, and what to write instead
};

// "E041" or "W104".
std::string name_of(int number);

class diagnostics {
 public:
  // Adds one. The reference lives until the next is added.
  diagnostic& error(int number, span where, std::string message, std::string label = {});
  diagnostic& warning(int number, span where, std::string message, std::string label = {});

  bool any_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  const std::vector<diagnostic>& all() const { return all_; }
  // To say more of each.
  template <class Function>
  void each(const Function& f) {
    for (diagnostic& d : all_) f(d);
  }
  // In the order of their places.
  void sort();

 private:
  std::vector<diagnostic> all_;
  int errors_ = 0;
};

// One diagnostic as people read it, several lines with a newline behind the last. With `color`, for a terminal.
std::string shown(const diagnostic& d, const sources& all, bool color);

// That of `names` which `name` is most likely meant to be; "" if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

}  // namespace abcl
