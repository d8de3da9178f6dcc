// How often a thread that computes looks for messages: at every so many back edges of its loops.
//
// Another process that has asked this one waits for the next look. Questions come in chains, each after the answer to
// the one before, and mostly when a thread has just gone on behind a barrier or a lock: then it looks soon, and soon
// again after each look that has found something. After others it waits twice as long each time.
#pragma once

#include <cstdint>

namespace tsubu::placed {

class poll_pace {
 public:
  static constexpr std::int64_t shortest_ns = 2'500, longest_ns = 20'000;

  // A thread is about to look at that time; or one goes on then, behind a wait or a look that has found something.
  // Both give how many back edges there are until the next look. `beyond`: so many more than these there have been,
  // since a loop counts some at a time.
  int looks(std::int64_t now_ns, std::int64_t beyond = 0);
  int goes_on(std::int64_t now_ns);

 private:
  int next(std::int64_t now_ns, std::int64_t interval_ns);

  std::int64_t interval_ns_ = shortest_ns;
  std::int64_t since_ns_ = 0;
  std::int64_t polls_ = 0;     // given then; 0: never
  double ns_of_poll_ = 100.0;  // from one back edge to the next
};

// A thread of this process goes on.
void look_soon();

}  // namespace tsubu::placed
