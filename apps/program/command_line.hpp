// Reading a program's own options; Tsubu's are taken out before the program starts.
//
//   program::command_line app("Histogram: every PE updates random counters of all PEs", "histogram");
//   app.add_option("--updates", asked.updates, "of each PE; default 1000").range(0, 1 << 30).type_name("N");
//   app.add_flag("--json", asked.json, "print the result as one line of JSON");
//   if (const auto code = app.read(words)) co_return *code;
//
// CLI11 does it, behind these names: what a program includes of it takes 11 s to compile, and there are 24 programs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/run/run.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace program {

// Exit codes, beside 0 for a run whose answer is right.
inline constexpr int wrong_answer = 1;
inline constexpr int bad_input = 2;

// An option of a command line, to say more about it. Each returns the option itself.
class option {
 public:
  explicit option(CLI::Option* which) : which_(which) {}

  // Its value is first to last.
  option range(int first, int last) const;
  option range(std::int64_t first, std::int64_t last) const;
  option range(std::uint64_t first, std::uint64_t last) const;
  option range(double first, double last) const;
  option positive() const;
  option not_negative() const;
  option one_of(const std::vector<std::string>& names) const;
  // `trouble` says what is wrong with a value; nothing, if nothing is.
  option check(std::function<std::string(const std::string& value)> trouble) const;

  option required() const;
  option excludes(const option& other) const;
  option needs(const option& other) const;
  // What the help calls its value.
  option type_name(const std::string& name) const;

  bool given() const;

 private:
  CLI::Option* which_;
};

class command_line {
 public:
  command_line(const std::string& what, const std::string& name);
  ~command_line();
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;

  // "--name", or "name" for a word that stands alone. `into` keeps its value where the option is not given.
  option add_option(const std::string& name, int& into, const std::string& text = "");
  option add_option(const std::string& name, std::int64_t& into, const std::string& text = "");
  option add_option(const std::string& name, std::uint64_t& into, const std::string& text = "");
  option add_option(const std::string& name, std::uint32_t& into, const std::string& text = "");
  option add_option(const std::string& name, double& into, const std::string& text = "");
  option add_option(const std::string& name, std::string& into, const std::string& text = "");
  // take(value) is called where it is given.
  option add_option_function(const std::string& name, std::function<void(std::uint64_t)> take, const std::string& text);
  option add_option_function(const std::string& name, std::function<void(const std::string&)> take,
                             const std::string& text);
  // "--name" makes it true, "!--name" false.
  option add_flag(const std::string& name, bool& into, const std::string& text);

  // One that was added before.
  option named(const std::string& name) const;

  // Every PE reads the same words, so all come to the same end; PE 0 prints the help, or one line about what is wrong.
  // Local; waits while another PE of the process reads. Returns the code to end with, or nothing if the program is to
  // go on.
  std::optional<int> read(const tsubu::arguments& words);

 private:
  void parse(const tsubu::arguments& words);

  std::unique_ptr<CLI::App> app_;
};

// "NAME: WHAT" on the standard error, once for all PEs that say it. PE 0 prints it; from another PE it goes there, so
// that the reason is known too where only some PEs have one. Returns the code to end with.
int complain(std::string_view name, std::string_view what);

}  // namespace program
