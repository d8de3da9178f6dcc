// What an object with express clauses is doing, as values that live as long as it does that.
#pragma once

#include <cstdint>

#include "abcl/runtime/express.hpp"

namespace abcl {

// An express clause runs.
class express_gate::inside {
 public:
  explicit inside(express_gate& of) : of_(of) {}
  ~inside() { of_.ended(); }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

 private:
  express_gate& of_;
};

// An express clause waits for a message: as a method that nothing else waits around. It must have waited before, so
// that its own message is not being delivered any more.
class express_gate::listening {
 public:
  explicit listening(express_gate& of) : header_(of.object_.tsubu_header), accepts_(header_.accepts) {
    state_ = header_.state & kept;
    header_.accepts = nullptr;
    header_.clear(kept);
    header_.set(bits::busy);
  }
  ~listening() {
    header_.accepts = accepts_;
    header_.clear(kept);
    header_.set(state_);
  }
  listening(const listening&) = delete;
  listening& operator=(const listening&) = delete;

 private:
  static constexpr std::uint32_t kept = bits::busy | bits::accepting | bits::serving | bits::held;
  object_base::header& header_;
  tsubu::objects::accept_wait* accepts_;
  std::uint32_t state_;
};

// A normal clause runs.
class express_gate::normal {
 public:
  explicit normal(express_gate& of) : of_(of) { of_.normal_ = of_.goes_on_ = true; }
  ~normal() {
    of_.normal_ = of_.goes_on_ = false;
    of_.forget();
    of_.next();
  }
  normal(const normal&) = delete;
  normal& operator=(const normal&) = delete;

 private:
  express_gate& of_;
};

// (atomic ...). Those that have been kept out begin where the clause waits next.
class express_gate::atomic {
 public:
  explicit atomic(express_gate& of) : of_(of) { ++of_.atomic_; }
  ~atomic() { --of_.atomic_; }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

 private:
  express_gate& of_;
};

}  // namespace abcl
