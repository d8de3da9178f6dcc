// The file of C++ that is written, as far as its functions share it: the plan, the text, the table of places.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "abcl/cpp/plan.hpp"
#include "abcl/cpp/text_writer.hpp"
#include "abcl/text/source.hpp"

namespace abcl::cpp {

// The places that errors name, each once.
class site_table {
 public:
  // The C++ expression for a row: file, line, class or function, message, and what is waited for there.
  std::string add(const source& from, int line, std::string_view in, std::string_view message,
                  std::string_view awaited);
  const std::vector<std::string>& rows() const { return rows_; }

 private:
  std::vector<std::string> rows_;
  std::map<std::string, std::size_t> numbers_;
};

struct translation_unit {
  const sources& texts;
  cpp::plan plan;
  const class_def* start = nullptr;  // null: it is a header
  std::string in_namespace{};        // of a header; "": none that has a name
  bool collects = false;             // objects end when nobody can reach them

  text_writer text{};
  site_table sites{};
  bool uses_library = false;
  bool uses_console = false;
};

}  // namespace abcl::cpp
