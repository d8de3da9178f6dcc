// Rows U16 and U17 of the EULASH paper: threads take turns, or run as the program's own scheduler says; they switch
// where they ask, or fail to lock, and processes stay where they are. Method: three threads of each process write down
// their names thrice, with one thing between; "TRACE what names" is what process 0 has written, "SEEN what number"
// counts on all. Run with --tsubu-scheduler=NAME; tests/papers judges.
#include <cstdio>
#include <string>
#include <vector>

#include "tsubu/eulash.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

// Those that are ready run from the last to the first; those that become ready meanwhile run after them.
class there_and_back final : public scheduler {
 public:
  void ready(ready_item item, int priority) override { later_.push_back({item, priority}); }
  choice next() override {
    if (now_.empty()) now_.swap(later_);
    const choice chosen = now_.back();
    now_.pop_back();
    return chosen;
  }
  bool empty() const override { return now_.empty() && later_.empty(); }

 private:
  std::vector<choice> now_, later_;
};

long add(long& value, long by) { return value += by; }

enum class between { nothing, own_access, free_lock, request };

struct notes {
  std::string names;
  long moved = 0;  // threads that found themselves in another process
};

task<int> note_thrice(char name, notes& to, between what, lock exclusion, eulash::mobile<long> datum) {
  const pe_id process = eulash::this_process();
  co_await eulash::switch_thread();  // from here on, all have been forked
  for (int i = 0; i < 3; ++i) {
    to.names += name;
    if (what == between::own_access) co_await datum.change<add>(1L);
    if (what == between::free_lock) auto held = co_await exclusion.acquire();
    if (what == between::request) co_await eulash::switch_thread();
    if (eulash::this_process() != process) ++to.moved;
  }
  co_return 0;
}

task<notes> three_threads(between what) {
  notes here;
  const lock exclusion = create_lock();
  const eulash::mobile<long> datum(0);
  std::vector<future<int>> threads;
  for (const char name : {'a', 'b', 'c'})
    threads.push_back(eulash::fork_thread(note_thrice(name, here, what, exclusion, datum)));
  for (auto& thread : threads) co_await thread;
  exclusion.end();
  co_return here;
}

task<void> hold_over_a_switch(std::string& names, lock exclusion) {
  auto held = co_await exclusion.acquire();
  names += 'A';
  co_await eulash::switch_thread();
  names += 'a';
}

task<void> fail_to_lock(std::string& names, lock exclusion) {
  names += 'B';
  auto held = co_await exclusion.acquire();
  names += 'b';
}

task<std::string> failed_lock() {
  std::string names;
  const lock exclusion = create_lock();
  auto first = eulash::fork_thread(hold_over_a_switch(names, exclusion));
  auto second = eulash::fork_thread(fail_to_lock(names, exclusion));
  co_await first;
  co_await second;
  exclusion.end();
  co_return names;
}

pe_id where() { return eulash::this_process(); }

task<int> program(arguments) {
  const std::pair<const char*, between> all[] = {{"nothing", between::nothing},
                                                 {"own_access", between::own_access},
                                                 {"free_lock", between::free_lock},
                                                 {"request", between::request}};
  long moved = 0;
  for (const auto& [name, what] : all) {
    const notes here = co_await three_threads(what);
    if (this_pe() == 0) std::printf("TRACE %s %s\n", name, here.names.c_str());
    moved += here.moved;
  }
  const std::string names = co_await failed_lock();
  if (this_pe() == 0) std::printf("TRACE failed_lock %s\n", names.c_str());
  for (pe_id process = 0; process < eulash::process_count(); ++process) {
    if (co_await eulash::fork_process<where>(process) != process) ++moved;
  }
  moved = co_await all_reduce(moved, reduce::plus);
  if (this_pe() == 0) std::printf("SEEN moved %ld\n", moved);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  register_scheduler("there-and-back", [] { return std::unique_ptr<scheduler>(new there_and_back); });
  return run_spmd(argc, argv, program);
}
