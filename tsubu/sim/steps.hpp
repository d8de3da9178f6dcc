// The steps of a message's protocol, as a machine's file writes them: "sender 10 clocks", "packet", "each word: sender
// 2 clocks, packet, memory 2 clocks". A step is at the sender or at the receiver; packets lead from one to the other,
// and what is written in an order that no message could take is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/quantity.hpp"

namespace tsubu::sim {

// What is wrong with a step: what came, and what was expected in its place.
struct wrong_step {
  std::string came;
  const char* expected;
};

// How a step is asked for.
extern const char* const step_expected;

// Reads the steps of one protocol, one text after the other.
class step_reader {
 public:
  explicit step_reader(const measure& durations) : durations_(durations) {}

  // Takes the step, or the steps for each word, that the text says. Nothing comes back if it is right; after what is
  // wrong no more can be read.
  std::optional<wrong_step> read(std::string_view text);

  // A packet has gone to the receiver, which none can do without.
  bool has_packet() const { return packets_; }
  const std::vector<step>& steps() const { return steps_; }

 private:
  using wrong = std::optional<wrong_step>;
  wrong read_one(std::string_view words, bool each_word);
  wrong read_packet(std::string_view words, bool back, bool each_word);
  wrong read_message(std::string_view words, std::string_view rest, bool each_word);
  wrong read_busy(std::string_view words, std::string_view verb, std::string_view rest, bool each_word);
  const char* why_not(step::what does, bool each_word) const;
  const char* misplaced() const;
  bool last_is(step::what does, std::size_t from_end = 0) const;

  const measure durations_;
  std::vector<step> steps_;
  bool at_sender_ = true;  // where the step that is read begins
  bool packets_ = false;
};

}  // namespace tsubu::sim
