// Which channel is routed: the built-in one, one from a file, or a random one.
#pragma once

#include <cstdint>
#include <string>

#include "apps/channel/pins.hpp"
#include "apps/program/command_line.hpp"
#include "tsubu/tsubu.hpp"

namespace channel {

class input {
 public:
  // --input, --random, --nets, --columns
  void add_options(program::command_line& to);
  // What is wrong with the options as a whole; if nothing is, empty.
  std::string trouble() const;

  std::string name() const;

  struct loaded {
    pins channel;
    std::string trouble;  // of the file, in a line
  };
  // On every PE. PE 0 reads the file. Collective.
  tsubu::task<loaded> load() const;

 private:
  std::string file_;
  bool is_random_ = false;
  std::uint64_t seed_ = 0;
  int nets_ = 72;
  int columns_ = 174;
};

}  // namespace channel
