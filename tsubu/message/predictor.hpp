// What the next messages will be, by those before them: the four schemes of Iwamoto, Sawada, Ootsu, Yoshinaga and Baba
// (1997) for A-NET, section 4.1, from simple to complex.
//
//   last        a message like the last one
//   frequency   the one that has come most often lately
//   markov      the one that has followed this one most often (order 1), or these two (order 2)
//   trace       the one that came next when the program ran before, as far as this run goes the same way
//
// A predictor is told of each message and says what it expects; it knows no clock, and nothing of what is done with
// what it says. Its memory is bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tsubu/message/noted_message.hpp"

namespace tsubu::message {

enum class scheme : std::uint8_t { off, last, frequency, markov, markov2, trace };

class predictor {
 public:
  // Where it stands: behind the message that came last, or further on, behind those that it expects.
  struct place {
    std::uint64_t contexts[2] = {0, 0};  // 0: not known
    std::size_t position = 0;
  };

  virtual ~predictor() = default;
  // A message of that id has come.
  virtual void learn(const noted_message& m, std::uint64_t id) = 0;
  // Behind it.
  virtual place here() const { return {}; }
  // What expect() will read is fetched into the cache.
  virtual void fetch(const place&) const {}
  // The next one; null: there is nothing to say. Valid until learn() is called.
  virtual const noted_message* expect(const place& at) const = 0;
  // Behind that message, of that id.
  virtual void go_on(place&, std::uint64_t /*id*/) const {}
};

// For all but `trace`.
std::unique_ptr<predictor> make_predictor(scheme how);
// For `trace`: what this PE noted in an earlier run, in order.
std::unique_ptr<predictor> make_trace_predictor(std::vector<noted_message> before);

}  // namespace tsubu::message
