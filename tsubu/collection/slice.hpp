// What a PE does of a collection between two of its steps: as long as the settings say, or a few looks for each object
// that the program has made in the step before, if that is more. So a cycle ends before as many have been made as there
// were when it began, however fast the program is.
//
//   slice now;
//   while (look at some objects)
//     if (now.over(how_many)) co_await now.pause();
//
// How long each was is counted, in the thread's processor time: it is a pause of the program on that PE.
#pragma once

#include <cereal/types/array.hpp>

#include <array>
#include <bit>
#include <coroutine>
#include <cstdint>

#include "tsubu/base/host_clock.hpp"
#include "tsubu/collection/settings.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::collection {

// How many slices were how long: a place for each sixteenth of an octave of nanoseconds.
class pause_lengths {
 public:
  void add(std::int64_t ns);
  void add(const pause_lengths& more);
  std::uint64_t count() const { return count_; }
  std::int64_t longest_ns() const { return longest_ns_; }
  // So long at most was that share of them, but for a sixteenth of an octave.
  std::int64_t quantile_ns(double share) const;

  template <class A>
  void serialize(A& a) {
    a(counts_, count_, longest_ns_);
  }

 private:
  static constexpr int step_bits = 4, steps = 1 << step_bits;  // of an octave
  static constexpr int octaves = 36;
  std::array<std::uint64_t, steps * octaves> counts_{};
  std::uint64_t count_ = 0;
  std::int64_t longest_ns_ = 0;
};

struct slices_of_pe {
  host_clock clock;
  pause_lengths lengths;               // since the last report
  std::uint64_t made_by_the_last = 0;  // objects since the cycle has begun
};
extern const pe_local<slices_of_pe> slices_here;

// Goes on in the PE's next step: `co_await next_step();`, and no pause is counted.
class next_step {
 public:
  next_step() = default;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> task) const { remote::current_pe->resume_in_next_step(task); }
  void await_resume() const noexcept {}
};

class slice {
 public:
  slice() { begin(); }
  slice(const slice&) = delete;
  slice& operator=(const slice&) = delete;
  ~slice() { end(); }

  // So many more objects have been looked at.
  bool over(std::uint32_t objects) {
    looked_at_ += objects;
    return looked_at_ >= looks_next_ && looks_at_clock();
  }

  class until_next_step {
   public:
    explicit until_next_step(slice& of) : of_(of) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task) const {
      of_.end();
      remote::current_pe->resume_in_next_step(task);
    }
    void await_resume() const { of_.begin(); }

   private:
    slice& of_;
  };
  // The PE does a step; then the next slice begins.
  until_next_step pause() { return until_next_step(*this); }

 private:
  // Where the clock stands still, as on a simulated machine.
  static constexpr std::uint64_t most = 1'024;

  // A cycle takes about five looks for each object. So a third of what there was when it began is made meanwhile.
  static constexpr std::uint64_t looks_for_each = 16;

  // A look at the clock takes as long as ten at objects in cache: so many objects, at most, or as many as take a 16th
  // of the slice at the pace so far, are between two.
  static constexpr std::uint64_t most_between = 128;
  bool looks_at_clock();

  static std::int64_t now() { return remote::current_pe->tasks.now(); }
  void begin();
  void end();

  std::int64_t began_ns_ = 0;
  std::uint64_t looked_at_ = 0;
  std::uint64_t looks_next_ = 0;  // when so many have been looked at
};

}  // namespace tsubu::collection
