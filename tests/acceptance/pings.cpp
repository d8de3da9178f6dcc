// Rows N1 to N13 of the A-NET paper: tests/papers runs this on its machine and reads where the time went.
//
//   pings N [CHANGES]   PE 1 asks PE 2, N times: a now message with an integer, which is answered by one. PE 2 gets the
//                       other of two messages than before, so many times, as evenly as it goes.
//   pings flood         PE 0 sends more than PE 1 can take, which is never idle
//   pings future N      PE 1 asks PE 2 once by a future message, computes for N clocks, and uses the answer
//
// As in the paper's figure 4 a host, PE 0, sends each node what loads its system, which answers that it is ready, then
// the system, which answers that it has started; it gives each its object and tells it to start. All else is between
// the nodes. Nobody sends anything after the last answer: the node says itself whether all answers were right.
//
// Source: Iwamoto, Sawada, Ootsu, Yoshinaga, Baba, High performance message passing by receiving prediction, 1997.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

class node : public object<node> {
 public:
  bool is_ready() { return true; }
  int ping(int n) { return n + 1; }
  int other_ping(int n) { return n + 1; }

  task<void> start(ref<node> asked, int pings, int changes) {
    int right = 0;
    bool other = false;
    for (int i = 0; i < pings; ++i) {
      // The i-th of the changes is at i / changes of the way; never at the first ping.
      const auto changed_by = [&](int n) { return static_cast<std::int64_t>(n) * changes / (pings - 1); };
      if (i > 0 && changed_by(i) != changed_by(i - 1)) other = !other;
      int answer = 0;
      if (other) {
        answer = co_await asked.now<&node::other_ping>(i);
      } else {
        answer = co_await asked.now<&node::ping>(i);
      }
      right += answer == i + 1 ? 1 : 0;
    }
    std::printf("PINGS %d of %d answered\n", right, pings);
    std::fflush(stdout);
    require(right == pings, "a ping has another answer");
  }

  task<void> start_future(ref<node> asked, double clocks) {
    future<int> answer = asked.future<&node::ping>(1);
    work(clocks);
    const int n = co_await answer;
    std::printf("FUTURE %d\n", n);
    std::fflush(stdout);
    require(n == 2, "a ping has another answer");
  }
};

// What it is loaded with, and the system, as words; it answers that it is ready, or has started.
using words_of_system = std::vector<std::uint64_t>;
bool load(words_of_system loader) { return !loader.empty(); }
bool start_system(words_of_system system) { return !system.empty(); }

task<bool> start_nodes(std::vector<pe_id> nodes) {
  constexpr std::size_t loader = 20, system = 200;  // assumed: they differ widely from what follows
  bool all = true;
  for (const pe_id pe : nodes) {
    const bool ready = co_await at(pe).now<load>(words_of_system(loader));
    all = all && ready;
  }
  for (const pe_id pe : nodes) {
    const bool started = co_await at(pe).now<start_system>(words_of_system(system));
    all = all && started;
  }
  co_return all;
}

constexpr int flood_messages = 200;

// Notes when it got most of them: nobody else knows whether it was idle at the end.
class bin : public object<bin> {
 public:
  void put(int) {
    if (++taken_ == flood_messages * 9 / 10) most_at_ns_ = now_ns();
    if (taken_ != flood_messages) return;
    std::printf("FLOOD %d taken, most after %lld ns\n", taken_, static_cast<long long>(most_at_ns_));
    std::fflush(stdout);
  }

 private:
  int taken_ = 0;
  std::int64_t most_at_ns_ = 0;
};

task<int> program(arguments words) {
  const std::string what = words.size() > 1 ? words[1] : "10";
  if (what == "flood") {
    const std::vector<pe_id> last(1, pe_count() - 1);
    const bool started = co_await start_nodes(last);
    require(started, "a node has not started");
    const ref<bin> full = create<bin>(at(pe_count() - 1));
    for (int i = 0; i < flood_messages; ++i) full.past<&bin::put>(i);
    co_return 0;
  }
  std::vector<pe_id> nodes(2);
  for (pe_id i = 0; i < 2; ++i) nodes[static_cast<std::size_t>(i)] = (1 + i) % pe_count();
  if (what == "future" && words.size() == 3) {
    const bool started = co_await start_nodes(nodes);
    const ref<node> asks = create<node>(at(nodes[0])), answers = create<node>(at(nodes[1]));
    asks.past<&node::start_future>(answers, std::atof(words[2].c_str()));
    co_return started ? 0 : 1;
  }
  const int pings = std::atoi(what.c_str());
  const int changes = words.size() > 2 ? std::atoi(words[2].c_str()) : 0;
  if (pings < 2 || changes < 0 || changes >= pings) {
    std::fprintf(stderr,
                 "pings: flood, future and clocks, or a number of pings, 2 at least, and one of changes, less than "
                 "that; not '%s'\n",
                 what.c_str());
    co_return exit_code::usage;
  }
  const bool started = co_await start_nodes(nodes);
  const ref<node> asks = create<node>(at(nodes[0])), answers = create<node>(at(nodes[1]));
  const bool is_ready = co_await answers.now<&node::is_ready>();
  asks.past<&node::start>(answers, pings, changes);
  co_return started&& is_ready ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
