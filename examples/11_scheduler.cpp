// A scheduler of the program's own.
//
// Ready tasks run in order of arrival (round-robin) unless the job asks for another order by name:
// --tsubu-scheduler=lifo, =priority, or one that the program has registered, as this one does.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <queue>
#include <vector>

using namespace tsubu;

// The smallest number first, where a task's priority is its deadline; in order of arrival among equals.
// Each PE has one of these, and calls it from its own thread only.
class earliest_deadline final : public scheduler {
 public:
  void ready(ready_item item, int priority) override { queue_.push({{item, priority}, arrivals_++}); }
  choice next() override {
    const choice first = queue_.top().what;
    queue_.pop();
    return first;
  }
  bool empty() const override { return queue_.empty(); }

 private:
  struct entry {
    choice what;
    std::uint64_t arrival;
    bool operator<(const entry& other) const {  // runs later
      return what.priority != other.what.priority ? what.priority > other.what.priority : arrival > other.arrival;
    }
  };
  std::priority_queue<entry> queue_;
  std::uint64_t arrivals_ = 0;
};

task<void> job(int deadline, std::vector<int>& order) {
  set_priority(deadline);
  co_await yield();  // back into the queue, now with its deadline
  order.push_back(deadline);
}

task<std::vector<int>> order_of_jobs() {
  std::vector<int> order;
  std::vector<task<void>> jobs;
  for (int deadline : {30, 10, 50, 20, 40}) jobs.push_back(job(deadline, order));
  co_await when_all(std::move(jobs));
  co_return order;
}

task<int> program(arguments) {
  bool right = true;
  const std::vector<std::vector<int>> orders = co_await everywhere().now<order_of_jobs>();
  for (const std::vector<int>& order : orders) right = right && order == std::vector<int>{10, 20, 30, 40, 50};
  std::printf("%s\n", right ? "earliest deadline first" : "in another order");
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) {
  register_scheduler("earliest-deadline", [] { return std::unique_ptr<scheduler>(new earliest_deadline); });
  setenv("TSUBU_SCHEDULER", "earliest-deadline", 0);  // unless the user chooses another
  return run(argc, argv, program);
}
