// Promise: EULASH's data, processes and threads do what the paper says. A mobile datum leaves its process at the first
// foreign access and is never copied; a process does not migrate; threads switch on request or at a failed lock only,
// round-robin, or as the registered scheduler says (--expect NAME). On a simulated machine whose PEs address shared
// memory
// (--expect-addressed), what lies there needs no messages.
#include "tsubu/eulash.hpp"

#include <deque>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

// ---- managed data

long add(long& value, long by) { return value += by; }

task<std::uint64_t> sent_by_ten_reads(eulash::mobile<long> datum, long wanted) {
  const std::uint64_t before = remote::current_pe->messages.sent();
  for (int i = 0; i < 10; ++i) expect_equal(co_await datum.read(), wanted, "a mobile datum");
  expect(datum.copy() == nullptr || datum.home() == this_pe(), "no copy of a mobile datum elsewhere");
  co_return remote::current_pe->messages.sent() - before;
}

task<void> mobile_leaves_once(bool addressed) {
  eulash::mobile<long> datum(1);
  co_await datum.write(4);
  expect_equal(co_await datum.change<add>(1L), 5, "what an own change gives");
  expect(!co_await datum.is_in_shared_memory(), "own accesses leave a mobile datum in local memory");
  expect(datum.copy() != nullptr && *datum.copy() == 5, "its process has it at hand");
  for (pe_id process = 1; process < eulash::process_count(); ++process) {
    const std::uint64_t sent = co_await eulash::fork_process<sent_by_ten_reads>(process, datum, 5L);
    if (addressed) {
      expect(sent <= (process == 1 ? 2 : 1), "a mobile datum that has moved is read where it is, without messages");
    } else {
      expect(sent >= 10, "each foreign read of a mobile datum asks its memory: it is not copied");
    }
    expect(co_await datum.is_in_shared_memory(), "a foreign access moves a mobile datum to shared memory");
  }
  expect_equal(co_await datum.change<add>(2L), 7, "what a change gives after that");
  expect_equal(co_await datum.is_in_shared_memory(), eulash::process_count() > 1, "a mobile datum stays where it is");
  co_await datum.end();
}

task<void> add_ten(eulash::mobile<long> a, eulash::shared<long> b, eulash::w_update<long> c,
                   eulash::w_invalid<long> d) {
  for (int i = 0; i < 10; ++i) {
    co_await a.change<add>(1L);
    co_await b.change<add>(1L);
    co_await c.change<add>(1L);
    co_await d.change<add>(1L);
  }
}

task<void> every_type_gives_the_same() {
  eulash::mobile<long> a(0);
  eulash::shared<long> b(0);
  eulash::w_update<long> c(0);
  eulash::w_invalid<long> d(0);
  std::vector<future<void>> children;
  for (pe_id process = 0; process < eulash::process_count(); ++process)
    children.push_back(eulash::fork_process<add_ten>(process, a, b, c, d));
  for (auto& child : children) co_await child;
  const long wanted = 10L * eulash::process_count();
  expect_equal(co_await a.read(), wanted, "the mobile datum");
  expect_equal(co_await b.read(), wanted, "the shared datum");
  expect_equal(co_await c.read(), wanted, "the w_update datum");
  expect_equal(co_await d.read(), wanted, "the w_invalid datum");
}

template <class Datum>
task<bool> has_ended(Datum datum) {
  try {
    (void)co_await datum.read();
  } catch (const std::exception&) {
    co_return true;
  }
  co_return false;
}

template <class Datum>
task<void> ends_everywhere() {
  Datum datum(3);
  for (pe_id process = 0; process < eulash::process_count(); ++process)
    expect(!co_await eulash::fork_process<has_ended<Datum>>(process, datum), "a datum that has not ended");
  co_await datum.end();
  for (pe_id process = 0; process < eulash::process_count(); ++process)
    expect(co_await eulash::fork_process<has_ended<Datum>>(process, datum), "a datum that has ended");
}

// ---- processes and threads

enum class between { nothing, own_accesses, request };

task<int> note_thrice(char name, std::string& trace, between what, lock exclusion, eulash::mobile<long> datum) {
  const pe_id process = eulash::this_process();
  co_await eulash::switch_thread();  // from here on, all threads have been forked
  for (int i = 0; i < 3; ++i) {
    trace += name;
    if (what == between::own_accesses) {
      auto held = co_await exclusion.acquire();  // which is free
      co_await datum.change<add>(1L);
    }
    if (what == between::request) co_await eulash::switch_thread();
    expect_equal(eulash::this_process(), process, "the process of a thread");
  }
  co_return 3;
}

task<std::string> trace_of_three(between what) {
  std::string trace;
  const lock exclusion = create_lock();
  const eulash::mobile<long> datum(0);
  std::vector<future<int>> threads;
  for (const char name : {'a', 'b', 'c'})
    threads.push_back(eulash::fork_thread(note_thrice(name, trace, what, exclusion, datum)));
  for (auto& thread : threads) expect_equal(co_await thread, 3, "what a thread gives");
  exclusion.end();
  co_return trace;
}

task<void> hold_over_a_switch(std::string& trace, lock exclusion) {
  auto held = co_await exclusion.acquire();
  trace += 'A';
  co_await eulash::switch_thread();
  trace += 'a';
}

task<void> fail_to_lock(std::string& trace, lock exclusion) {
  trace += 'B';
  auto held = co_await exclusion.acquire();  // fails: the thread switches
  trace += 'b';
}

task<std::string> trace_of_a_failed_lock() {
  std::string trace;
  const lock exclusion = create_lock();
  auto first = eulash::fork_thread(hold_over_a_switch(trace, exclusion));
  auto second = eulash::fork_thread(fail_to_lock(trace, exclusion));
  co_await first;
  co_await second;
  exclusion.end();
  co_return trace;
}

// The thread that became ready last, but the oldest one each third time.
class mostly_last final : public scheduler {
 public:
  void ready(ready_item item, int priority) override { items_.push_back({item, priority}); }
  choice next() override {
    const bool oldest = ++choices_ % 3 == 0;
    const choice chosen = oldest ? items_.front() : items_.back();
    if (oldest) {
      items_.pop_front();
    } else {
      items_.pop_back();
    }
    return chosen;
  }
  bool empty() const override { return items_.empty(); }

 private:
  std::deque<choice> items_;
  int choices_ = 0;
};

task<void> threads_switch_as_promised(bool round_robin) {
  for (const auto what : {between::nothing, between::own_accesses}) {
    const auto traces = co_await everywhere().now<trace_of_three>(what);
    for (std::string trace : traces) {
      if (round_robin) expect_equal(trace, std::string("aaabbbccc"), "the trace " + trace);
      for (std::size_t i = 0; i < trace.size(); i += 3)
        expect(trace[i] == trace[i + 1] && trace[i] == trace[i + 2], "no switch without a request in " + trace);
    }
  }
  for (const auto& trace : co_await everywhere().now<trace_of_three>(between::request)) {
    expect(trace.size() == 9, "three threads note thrice in " + trace);
    expect((trace == "abcabcabc") == round_robin, "threads take turns under round-robin only: " + trace);
  }
  for (const auto& trace : co_await everywhere().now<trace_of_a_failed_lock>()) {
    if (round_robin) expect_equal(trace, std::string("ABab"), "the trace " + trace);
    expect(trace.find('b') > trace.find('a'), "a failed lock is had after its release in " + trace);
  }
}

task<int> program(arguments args) {
  const bool addressed = args.size() > 1 && args[1] == "--expect-addressed";
  const std::string name = args.size() > 2 ? args[2] : "round-robin";
  co_await mobile_leaves_once(addressed);
  co_await ends_everywhere<eulash::shared<long>>();
  co_await ends_everywhere<eulash::mobile<long>>();
  co_await ends_everywhere<eulash::w_update<long>>();
  co_await ends_everywhere<eulash::w_invalid<long>>();
  co_await every_type_gives_the_same();
  co_await threads_switch_as_promised(name == "round-robin");
  co_await quiescence();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  register_scheduler("mostly-last", [] { return std::unique_ptr<scheduler>(new mostly_last); });
  return run(argc, argv, program);
}
