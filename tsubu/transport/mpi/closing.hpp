// How the ranks end together: a receive can be cancelled only when no message can match it any more.
//
// Three steps. All ranks have sent all they had: credits must flow until then. Then no rank sends credits any more, so
// that the messages can be counted. When all that were sent have arrived, the receives are cancelled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tsubu/transport/mpi/lane.hpp"

namespace tsubu::transport::mpi {

class closing {
 public:
  // Whether credits may be sent: until all ranks have sent all they had.
  bool credits_flow() const { return stage_ < stage::counting; }
  bool closed() const { return stage_ == stage::closed; }

  // Takes the next steps, as far as they can be taken. `all_sent`: this rank has sent all it had, for now; `arrived`:
  // messages, of any kind, that have arrived so far. True when none can come any more. Collective.
  template <class Carrier>
  bool advance(Carrier& carrier, const std::vector<lane>& lanes, bool all_sent, std::uint64_t arrived) {
    if (stage_ == stage::open && all_sent) {
      carrier.begin_agreement();
      stage_ = stage::agreeing;
    }
    if (stage_ == stage::agreeing && carrier.agreed()) {
      carrier.begin_count(messages_to_ranks(lanes, carrier.ranks()));
      stage_ = stage::counting;
    }
    if (stage_ == stage::counting && carrier.agreed()) stage_ = stage::draining;
    if (stage_ != stage::draining || arrived != carrier.coming() || !all_sent) return false;
    stage_ = stage::closed;
    return true;
  }

 private:
  enum class stage : std::uint8_t {
    open,
    agreeing,  // this rank has sent all it had
    counting,  // and so has every other
    draining,  // it is known how many messages come
    closed
  };

  static std::vector<std::uint64_t> messages_to_ranks(const std::vector<lane>& lanes, std::size_t ranks) {
    std::vector<std::uint64_t> sent_to(ranks);
    for (const lane& l : lanes) {
      if (l.messages != 0) sent_to[static_cast<std::size_t>(l.rank)] = l.messages;
    }
    return sent_to;
  }

  stage stage_ = stage::open;
};

}  // namespace tsubu::transport::mpi
