// Options and TSUBU_ variables. An input is words with a NUL behind each: those before an empty word are variables, the
// others arguments of the program.
#include "tsubu/base/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// As main() and environ have them.
std::vector<char*> pointers_to(std::span<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The environment while it lives.
class only_variables {
 public:
  explicit only_variables(std::vector<char*>& variables) { environ = variables.data(); }
  ~only_variables() { environ = was_; }
  only_variables(const only_variables&) = delete;
  only_variables& operator=(const only_variables&) = delete;

 private:
  char** const was_ = environ;
};

}  // namespace

void read_input(bytes input) {
  std::vector<std::string> words = words_of(text_of(input));
  const auto middle = std::find(words.begin(), words.end(), "");
  std::vector<std::string> arguments{"program"};
  if (middle != words.end()) arguments.insert(arguments.end(), middle + 1, words.end());
  words.erase(middle, words.end());
  std::vector<char*> variables = pointers_to(words);
  std::vector<char*> argv = pointers_to(arguments);
  int argc = static_cast<int>(arguments.size());

  const only_variables there(variables);
  const settings s = read_settings(argc, argv.data());
  expect(argc >= 1 && argc <= static_cast<int>(arguments.size()) && argv[static_cast<std::size_t>(argc)] == nullptr,
         "the program's arguments do not end with a null");
  expect(s.pes >= 0 && s.pes <= 1'000'000 && s.pes_per_rank >= 1 && s.pes_per_rank <= 1024, "a number of PEs");
  expect(s.time_limit_s >= 0 && s.time_limit_s <= 1e6 && s.fault_us >= 0 && s.fault_us <= 1e12, "a time");
  expect(s.work_scale > 0 && s.work_scale < 1e6, "a scale of work");
  expect(s.hops >= 0 && s.hops <= 3, "a number of hops");
}

}  // namespace tsubu::fuzz
