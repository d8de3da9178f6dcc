// How a job ends that uses locks, counters or barriers wrongly, or waits for them for ever: lock_endings HOW. Each is a
// test of its own, with its exit code and what it prints.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

lock make_lock() { return create_lock(); }
rw_lock make_rw_lock() { return create_rw_lock(); }
shared_counter make_counter(long n) { return create_counter(n); }
named_barrier make_barrier(std::uint32_t n) { return create_barrier(n); }

pe_local<std::vector<held_lock>> kept;
task<void> keep(lock l) { kept->push_back(co_await l.acquire()); }
task<void> keep_shared(rw_lock l) { kept->push_back(co_await l.acquire_shared()); }

// Each takes one and wants the other.
task<void> take_both(lock first, lock second, named_barrier both_have_one) {
  const auto one = co_await first.acquire();
  co_await both_have_one.arrive_and_wait();
  const auto other = co_await second.acquire();
}

task<int> program(arguments args) {
  const std::string& how = args[1];
  const pe_id last = pe_count() - 1;
  if (how == "held_at_the_end") {
    const lock l = co_await at(last).now<make_lock>();
    co_await at(0).now<keep>(l);
    co_await at(last).now<keep_shared>(create_rw_lock());
    co_return 0;
  }
  if (how == "twice") {
    const lock l = co_await at(last).now<make_lock>();
    auto held = co_await l.acquire();
    held.release();
    held.release();
  }
  if (how == "no_lock") co_await at(last).now([]() -> task<void> { (void)co_await lock().acquire(); });
  if (how == "gone") {
    const lock l = co_await at(last).now<make_lock>();
    l.end();
    (void)co_await l.acquire();
  }
  if (how == "end_held") {
    const lock l = co_await at(last).now<make_lock>();
    const auto held = co_await l.acquire();
    l.end();
  }
  if (how == "again") {
    const lock l = co_await at(last).now<make_lock>();
    const auto held = co_await l.acquire();
    const auto again = co_await l.acquire();
  }
  if (how == "held_elsewhere") {
    const lock l = co_await at(last).now<make_lock>();
    co_await at(0).now<keep>(l);
    co_await at(last).now<keep>(l);
  }
  if (how == "shared") {
    const rw_lock l = co_await at(last).now<make_rw_lock>();
    co_await at(0).now<keep_shared>(l);
    co_await at(last).now<keep_shared>(l);
    const auto held = co_await l.acquire();
  }
  if (how == "both") {
    const lock a = create_lock();
    const lock b = co_await at(last).now<make_lock>();
    const named_barrier both_have_one = create_barrier(2);
    auto one = at(0).future<take_both>(a, b, both_have_one);
    co_await at(last).now<take_both>(b, a, both_have_one);
    co_await std::move(one);
  }
  if (how == "counter") {
    const shared_counter c = co_await at(last).now<make_counter>(3L);
    co_await c.until_zero();
  }
  if (how == "counter_gone") {
    const shared_counter c = co_await at(last).now<make_counter>(0L);
    co_await c.read();
    c.end();
    co_await at(last).now([] {});  // it has been told to forget the zero
    co_await c.fetch_decrement();
  }
  if (how == "negative") co_await create_counter(0).write(-1);
  if (how == "barrier") {
    const named_barrier b = co_await at(last).now<make_barrier>(3U);
    b.arrive();
    co_await b.arrive_and_wait();
  }
  if (how == "no_arrival") (void)create_barrier(0);
  co_await sleep_for(std::chrono::seconds(10));  // the job ends before
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
