// One PE of the conformance suite: sends numbered batches whose every byte is known, checks what
// arrives, and agrees with the other PEs on the end of a check.
//
// A check ends when every PE has told every other that it is done. A PE that is done early may start
// the next check; what it sends there waits, unreleased, until this PE gets there too.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::conformance {

// What a batch of the suite begins with. The rest of it is pattern(from, to, number).
struct label {
  std::uint32_t check;   // number of the check it belongs to
  std::uint32_t number;  // counts the batches of a pair in this check, 0, 1, 2 ...
  std::uint64_t bulk_bytes;
  bool done;  // the sender is done with the check
};

// Known bytes: a function of who sends to whom, the number, and the place.
void fill(std::span<std::byte> bytes, pe_id from, pe_id to, std::uint32_t number);
bool is_filled(std::span<const std::byte> bytes, pe_id from, pe_id to, std::uint32_t number);

class pe_under_test final : public transport::receiver {
 public:
  pe_under_test(transport::transport& own_end, std::uint64_t seed);

  transport::transport& end() { return end_; }
  pe_id pe() const { return end_.pe(); }
  pe_id pe_count() const { return end_.pe_count(); }
  std::mt19937_64& random() { return random_; }
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  // Sends a batch with `bytes` bytes in all (at least a label). Returns what post() does.
  int send(pe_id to, std::size_t bytes);

  // Sends a bulk. Its source is overwritten as soon as done() says that it may be.
  int send_bulk(pe_id to, std::size_t bytes);

  // Takes one arrived batch, checks it and keeps at most `keep` batches unreleased. False: none has come.
  bool receive(std::size_t keep = 0);

  std::uint64_t received() const { return received_; }  // in this check, "done" excluded
  std::size_t bulks_under_way() const { return sources_.size(); }

  // Receives until all PEs are done, then until nothing is on the way any more. Counts one check on.
  void finish_check(const char* name);

  // Receives until `reached()`; the job fails if that takes unreasonably long.
  template <typename Condition>
  void receive_until(Condition reached, const char* what, std::size_t keep = 0);

  void expect(bool holds, const std::string& what);
  [[noreturn]] void fail(const std::string& what);

  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override;
  message_facts facts_of(transport::batch&, std::size_t) const override { return {}; }  // nothing is simulated here

 private:
  struct peer {
    std::uint32_t sent = 0;
    std::uint32_t received = 0;
    bool done = false;
  };
  // What a bulk is sent from; told by done().
  struct source {
    pe_under_test* owner;
    std::vector<std::byte> bytes;
    bool done = false;
  };
  // Where a bulk lands, with guard bytes behind it.
  struct landing {
    std::uint32_t check;
    pe_id from;
    std::uint32_t number;
    std::vector<std::byte> bytes;
  };

  peer& peer_of(pe_id pe) { return peers_[static_cast<std::size_t>(pe)]; }
  transport::batch* labelled(pe_id to, std::size_t bytes, std::uint64_t bulk_bytes, bool done);
  transport::batch* next();
  label label_of(std::span<const std::byte> data);
  void check_batch(transport::batch* b, const label& l);
  void check_bulk(transport::batch* b, const label& l);
  static void source_is_free(void* argument);

  transport::transport& end_;
  std::mt19937_64 random_;
  std::uint32_t check_ = 0;
  std::uint64_t received_ = 0;
  std::vector<peer> peers_;
  std::deque<transport::batch*> early_;  // of the next check
  std::deque<transport::batch*> kept_;   // checked, not yet released
  std::deque<source*> sources_;          // not done yet
  std::deque<landing> landings_;
};

template <typename Condition>
void pe_under_test::receive_until(Condition reached, const char* what, std::size_t keep) {
  constexpr std::int64_t longest_ns = 60'000'000'000;
  constexpr int polls_before_wait = 200;
  const std::int64_t begin = now_ns();
  int idle = 0;
  while (!reached()) {
    if (receive(keep)) {
      idle = 0;
    } else if (++idle > polls_before_wait) {
      end_.wait(1000);
      if (now_ns() - begin > longest_ns) fail(std::string("waited for a minute: ") + what);
    }
  }
}

}  // namespace tsubu::conformance
