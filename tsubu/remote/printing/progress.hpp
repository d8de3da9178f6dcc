// Shows how far a long run is, all PEs together:
//
//   progress bar("updates", mine);             // on each PE: what it does of the whole
//   for (...) { ...; bar.add(); }              // updates: 431 k of 1.00 M (43 %), 12.3 M/s, 46 s left
//
// PE 0 draws it on the standard error if that is a terminal, until it ends there, and takes it away then. With
// --tsubu-progress=on it prints a line every ten seconds where it is no terminal, as under mpirun; with a number, every
// so many seconds; with off, and where PEs are simulated, there is none, and no message is sent for it.
//
// The PEs' numbers travel to PE 0 now and then: a few messages a second from each. They are the program's like others:
// quiescence() waits until they have arrived. They belong to no epoch.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tsubu {

class progress {
 public:
  // Local. Bars of one name on several PEs are one; it is shown while PE 0 has one, and the last that PE 0 has made if
  // it has several. `total`: what this PE does of it, if that is known; the parts of the PEs add up.
  explicit progress(std::string_view name, std::int64_t total = 0);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // So much more is done, on this PE. An addition and a comparison, but for a few times a second.
  void add(std::int64_t n = 1) {
    done_ += n;
    if (done_ >= look_at_) [[unlikely]]
      look();
  }
  std::int64_t done() const { return done_; }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  void look();
  void tell();

  std::int64_t done_ = 0;
  std::int64_t look_at_ = never;  // the count at which the clock is looked at next; never: nothing is shown
  std::int64_t total_;
  std::int64_t looked_ns_ = 0;
  std::int64_t looked_done_ = 0;
  std::int64_t due_ns_ = 0;
  std::string name_;
};

}  // namespace tsubu
