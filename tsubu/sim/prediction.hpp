// What a PE expects of its next message: that it is like the last one ("last message only", the first of four schemes
// of Iwamoto, Sawada, Ootsu, Yoshinaga and Baba, 1997, for A-NET). An idle PE predicts, and does ahead what the
// receiving of such a message begins with; when the message comes, the two are compared. What all that takes is the
// machine file's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tsubu::sim {

// How much of the next message is predicted.
enum class predicted { nothing, size, selector };  // selector: and its size

// What of a message is predicted.
struct message_form {
  std::size_t words = 0;     // header and arguments
  std::uint32_t number = 0;  // of its handler, which is the selector here
};

// One PE's.
class predictor {
 public:
  // The first messages, `only_counted` of them, are not predicted, nor anything from them.
  predictor(predicted what, int only_counted) : what_(what), only_counted_(only_counted) {}

  // The PE is idle. True: it predicts, and begins to do things ahead; once until a message comes. From an empty log it
  // predicts an empty message, which none is.
  bool predict();

  enum class outcome { none, hit, miss };  // none: nothing was predicted
  struct taken {
    outcome of_prediction;
    bool logged;
  };
  // A message is received, and goes into the log.
  taken take(const message_form& m);

  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  predicted what_;
  int only_counted_;
  int counted_ = 0;
  bool predicts_ = false;
  std::optional<message_form> log_;
  std::uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace tsubu::sim
