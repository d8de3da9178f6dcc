// The subcommands of `tsubu`: each one's options, and what it does with them, in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace tsubu::command {

class subcommand {
 public:
  virtual ~subcommand() = default;
  subcommand(const subcommand&) = delete;
  subcommand& operator=(const subcommand&) = delete;

  std::string name() const { return options().get_name(); }
  bool parsed() const { return options().parsed(); }
  // Does what its options say; called once, if they have been parsed. Returns the exit code, or becomes a program.
  virtual int act() = 0;

 protected:
  subcommand(CLI::App& of, const std::string& name, const std::string& what_for)
      : options_(*of.add_subcommand(name, what_for)) {}
  CLI::App& options() const { return options_; }

 private:
  CLI::App& options_;  // owned by the command's
};

// All that people call, in the order in which the help shows them, their options added to `app`, which outlives them.
std::vector<std::unique_ptr<subcommand>> add_subcommands(CLI::App& app);

}  // namespace tsubu::command
