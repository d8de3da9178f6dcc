// Rows M17 and M20: what happens in an invocation, and where mpc_main runs.
// Method: the library's trace of steps. Processes do not share a trace, so each node keeps its own order, and node 0
// collects them; across nodes the order follows from who answers whom, which the steps of one call tell.
#include <mpcxx.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/acceptance/rows.hpp"

namespace {

struct noted {
  std::vector<int> steps;
  bool keep = true;
};
tsubu::pe_local<noted> here;

void note(trace_step step, int, int) {
  if (here->keep) here->steps.push_back(static_cast<int>(step));
}
const bool noting = (trace_hook = note, true);

std::vector<int> take_steps() {
  here->keep = false;
  return here->steps;
}
void clear_steps() { here->steps.clear(); }

int foo(int a, int b) { return a + b; }

std::string text(const std::vector<int>& numbers) {
  std::string all;
  for (const int n : numbers) {
    if (!all.empty()) all += ' ';
    all += std::to_string(n);
  }
  return all;
}

void life_of_a_job() {
  std::string wrong;
  for (int node = 0; node < numNode; ++node) {
    std::vector<int> of;
    if (node == 0)
      of = here->steps;
    else
      invoke(of, node, +[] { return here->steps; });
    const auto count = [&](trace_step step) { return std::count(of.begin(), of.end(), static_cast<int>(step)); };
    const bool good = count(trace_step::main_started) == (node == 0 ? 1 : 0) &&
                      count(trace_step::serving) == (node == 0 ? 0 : 1) &&
                      of.front() == static_cast<int>(node == 0 ? trace_step::main_started : trace_step::serving);
    if (!good) wrong.append(" ").append(std::to_string(node));
  }
  acceptance::row("M20", "mpc_main on node 0, the handler elsewhere", "all nodes",
                  wrong.empty() ? "all nodes" : "not on nodes" + wrong, wrong.empty());
}

void steps_of_invoke() {
  invoke(1, clear_steps);
  here->steps.clear();
  int i = 0;
  invoke(i, 1, foo, 1, 2);
  const std::vector<int> own = here->steps;
  std::vector<int> there;
  invoke(there, 1, take_steps);
  // On node 1: the end of clear_steps (its result, 5), the call (3, 4, 5), and the beginning of take_steps (3, 4).
  const std::vector<int> call(there.begin() + 1, there.end() - 2);
  acceptance::row("M17", "steps on the caller", "1 2 6 7", text(own), own == std::vector<int>{1, 2, 6, 7});
  acceptance::row("M17", "steps on the callee, between 2 and 6", "3 4 5", text(call),
                  call == std::vector<int>{3, 4, 5});
}

// Runs as the node ends: after the exit message has come.
struct at_end {
  ~at_end() {
    if (seen == nullptr) return;
    const auto received = std::count(seen->begin(), seen->end(), static_cast<int>(trace_step::exit_received));
    const auto sent = std::count(seen->begin(), seen->end(), static_cast<int>(trace_step::exit_sent));
    acceptance::row("M20", "exit messages received, calls of mpc_exit, on node " + std::to_string(node),
                    node == 0 ? "1, 1" : "1, 0", std::to_string(received) + ", " + std::to_string(sent),
                    received == 1 && sent == (node == 0 ? 1 : 0));
    std::fflush(stdout);
  }
  const std::vector<int>* seen = nullptr;
  int node = 0;
};
tsubu::pe_local<at_end> ending;

void watch_the_end() {
  here->steps.clear();
  here->keep = true;
  ending->seen = &here->steps;  // made before, so it ends later
  ending->node = myNode;
}

}  // namespace

int mpc_main(int, char**) {
  life_of_a_job();
  if (numNode > 1) steps_of_invoke();
  for (int node = 0; node < numNode; ++node) invoke(node, watch_the_end);
  if (!noting) return 1;
  return acceptance::verdict();
}
