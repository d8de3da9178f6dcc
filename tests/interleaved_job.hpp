// All PEs of a job in one thread, stepped in a random order over a transport that delivers when it likes, and what
// different PEs have sent in any order, some of it late:
// for unit tests that want many interleavings and the same ones again.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/loopback.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::test {

class interleaved_job {
 public:
  explicit interleaved_job(pe_id pes, std::uint64_t seed = 1, int hops = 1, const remote::pe::limits& most = {})
      : wires_(pes, 1024, {hops}), random_(seed) {
    for (pe_id number = 0; number < pes; ++number) {
      wires_[number].dice = &random_;
      wires_[number].slow = static_cast<pe_id>(random_() % static_cast<std::uint64_t>(pes + 1)) - 1;  // or none is
      pes_.push_back(std::make_unique<remote::pe>(wires_[number], most));
      pes_.back()->tasks.set_clock([](void* clock) { return *static_cast<std::int64_t*>(clock); }, &clock_ns_);
    }
  }
  ~interleaved_job() { pes_.front()->leave(); }

  // Makes a PE the current one.
  remote::pe& operator[](pe_id number) {
    remote::pe& p = *pes_[static_cast<std::size_t>(number)];
    p.enter();
    return p;
  }
  loopback& wires() { return wires_; }
  std::mt19937_64& random() { return random_; }

  // Time passes in run(), and here.
  void advance_clock(std::int64_t ns) { clock_ns_ += ns; }

  // Until all PEs have heard of the job's end. False if that takes more than `most_steps`.
  bool run(std::int64_t most_steps = 20'000'000) {
    for (std::int64_t step = 0; step < most_steps; ++step) {
      clock_ns_ += static_cast<std::int64_t>(random_() % 1000);
      const auto number = static_cast<pe_id>(random_() % pes_.size());
      remote::pe& p = (*this)[number];
      if (p.quiescence.ended()) {
        if (all_ended()) return true;
        p.messages.flush(message::flush_reason::idle);
        continue;
      }
      wires_[number].allowed = static_cast<int>(random_() % 3);
      if (!p.step()) p.quiescence.on_idle();
    }
    return false;
  }

 private:
  bool all_ended() const {
    for (const auto& p : pes_) {
      if (!p->quiescence.ended()) return false;
    }
    return true;
  }

  loopback wires_;
  std::mt19937_64 random_;
  std::int64_t clock_ns_ = 0;
  std::vector<std::unique_ptr<remote::pe>> pes_;
};

}  // namespace tsubu::test
