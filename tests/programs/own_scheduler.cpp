// Promise: a program may bring a scheduler of its own and choose it, or any other, by name. Called with
// --expect NAME, it checks the order that scheduler gives.
#include <deque>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

std::atomic<int> schedulers_made{0};

// Takes from both ends in turn.
class two_ends final : public scheduler {
 public:
  two_ends() { ++schedulers_made; }
  void ready(ready_item item, int priority) override { items_.push_back({item, priority}); }
  choice next() override {
    front_ = !front_;
    const choice chosen = front_ ? items_.front() : items_.back();
    if (front_) {
      items_.pop_front();
    } else {
      items_.pop_back();
    }
    return chosen;
  }
  bool empty() const override { return items_.empty(); }

 private:
  std::deque<choice> items_;
  bool front_ = false;
};

task<void> note(int number, int priority, std::vector<int>& order) {
  set_priority(priority);
  co_await yield();
  order.push_back(number);
}

task<std::string> order_of_five() {
  std::vector<int> order;
  std::vector<task<void>> all;
  for (int i = 0; i < 5; ++i) all.push_back(note(i, i % 3, order));
  co_await when_all(std::move(all));
  std::string text;
  for (int number : order) text += std::to_string(number);
  co_return text;
}

task<int> program(arguments args) {
  const std::string name = args.size() > 2 ? args[2] : "round-robin";
  const std::vector<std::string> orders = co_await everywhere().now<order_of_five>();
  for (const std::string& order : orders) {
    std::printf("%s: %s\n", name.c_str(), order.c_str());
    if (name == "round-robin") expect(order == "01234", "round-robin runs in order of arrival");
    if (name == "lifo") expect(order == "43210", "lifo runs the last first");
    if (name == "priority") expect(order == "21403", "priority runs the highest first");
    if (name == "two-ends")
      expect(order.size() == 5 && order != "01234" && schedulers_made > 0, "the program's own order");
  }
  // And everything else works with it.
  long sum = 0;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    for (int i = 0; i < 200; ++i) sum += co_await at(pe).now([] { return 1L; });
  }
  expect_equal(sum, 200L * pe_count(), "calls under the scheduler");
  co_await quiescence();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  register_scheduler("two-ends", [] { return std::unique_ptr<scheduler>(new two_ends); });
  return run(argc, argv, program);
}
