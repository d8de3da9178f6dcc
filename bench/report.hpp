// What every benchmark does around its measurement: options in, one JSON line out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bench {

// One option of a program: --name VALUE. `value` holds the default beforehand.
struct option {
  std::string name;  // with its dashes
  std::variant<std::int64_t*, std::string*> value;
  std::string help;
};

// Sets the values from the command line. What it returns is what the program is to end with: 0 after --help, 2 after a
// message on a wrong option. speak: print the help or the message.
std::optional<int> read_options(int argc, char** argv, const std::string& what, const std::vector<option>& options,
                                bool speak = true);

// The same, and ends the process there. Not for a PE, whose job has not ended then.
void parse_options(int argc, char** argv, const std::string& what, const std::vector<option>& options);

// What the repetitions of one measurement come to.
struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
  std::size_t repetitions = 0;

  double spread() const { return median == 0 ? 0 : (max - min) / median; }
};
summary summarize(std::vector<double> values);

// One flat JSON object, printed as one line to the standard output: {"name":"cg","pes":2,"seconds":0.31}
class result_line {
 public:
  explicit result_line(std::string_view name) { add("name", name); }

  result_line& add(std::string_view key, std::string_view value);  // a plain word: nothing in it is escaped
  result_line& add(std::string_view key, const char* value) { return add(key, std::string_view(value)); }
  result_line& add(std::string_view key, double value);  // six significant digits
  result_line& add(std::string_view key, std::int64_t value);
  result_line& add(std::string_view key, int value) { return add(key, static_cast<std::int64_t>(value)); }
  result_line& add(std::string_view key, bool value);

  // "min", "max", in the unit of what was measured; "spread": (max - min) / median; "repetitions".
  result_line& add(const summary& measured);

  void print() const;

 private:
  result_line& raw(std::string_view key, std::string_view value);

  std::string fields_;
};

}  // namespace bench
