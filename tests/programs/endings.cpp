// How a job ends: endings return N | throw | throw-elsewhere | throw-any WHAT | throw-any-past WHAT | .. | throw-past |
// throw-past-task | fail | exit N | quick-exit | thread-exit | deadlock | deadlock-deep | deadlock-in-epoch | wait |
// arguments ... Each is a test of its own, with its exit code and what it prints.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tests/programs/expect.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace {

struct torn_net : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void tear() { throw torn_net("mesh 5"); }
task<void> tear_at(pe_id pe) {
  at(pe).past<tear>();
  co_return;
}
task<void> tear_later() {
  co_await sleep_for(1ms);
  throw torn_net("mesh 6");
}
// What is no std::exception, or one that says nothing.
struct silent : std::exception {
  const char* what() const noexcept override { return nullptr; }
};
void throw_any(std::string what) {
  if (what == "number") throw 42;
  if (what == "text") throw "a line of text";
  if (what == "null-what") throw silent();
  if (what == "null-text") throw static_cast<const char*>(nullptr);
}
task<void> throw_any_later(std::string what) {
  co_await yield();
  throw_any(std::move(what));
}
struct thrower : object<thrower> {
  void fail(std::string what) { throw_any(std::move(what)); }
};

// Who sends where no PE is: a destructor behind the end of the job, and a thread of the program's own.
void heard() {}
struct late_sender {
  bool armed = false;
  ~late_sender() {
    if (armed) at(0).past<heard>();
  }
};
late_sender destroyed_after_main;
struct sends_at_its_end : object<sends_at_its_end> {
  ~sends_at_its_end() { at(0).past<heard>(); }
};
void by_a_thread(std::string what) {
  const ref<thrower> object = create<thrower>(at(this_pe()));
  const shared<long> variable = create_shared(protocol::update, 0L);
  std::thread([=] {
    if (what == "send") at(0).past<heard>();
    if (what == "ask") auto answer = at(0).now<this_pe>();
    if (what == "object") object.past<&thrower::fail>("nothing");
    if (what == "create") (void)create<thrower>(at(0));
    if (what == "shared") variable.put(1);
  }).join();
}

void break_contract() { require(1 + 1 == 3, "arithmetic is broken"); }

void leave(int code) { std::exit(code); }
void leave_quickly() { std::quick_exit(0); }
void leave_from_a_thread() { std::thread(leave, 0).join(); }

int* volatile nowhere = nullptr;
int volatile zero = 0;
[[gnu::noinline]] int nest(int depth) {
  int volatile on_the_stack[16] = {depth};
  return zero != 0 ? 0 : nest(depth + 1) + on_the_stack[0];
}

// As a program does that has a mistake.
void crash(std::string by) {
  if (by == "SEGV") *nowhere = 1;
  if (by == "FPE") zero = 7 / zero;
  if (by == "ILL") __builtin_trap();
  if (by == "ABRT") std::abort();
  if (by == "BUS") ::raise(SIGBUS);
  if (by == "TERM") ::raise(SIGTERM);
  if (by == "INT") ::raise(SIGINT);
  if (by == "HUP") ::raise(SIGHUP);
  if (by == "overflow") zero = nest(0);
}

struct breaks_at_its_end {
  bool armed = false;
  ~breaks_at_its_end() { require(!armed, "the nets are still out"); }
};
pe_local<breaks_at_its_end> late_breaker;
void arm() { late_breaker->armed = true; }

pe_local<tsubu::sync<int>> box;
task<int> never() { co_return co_await box->read(); }

task<int> to_and_fro(int turns);
task<int> through(int layers) {
  if (layers == 0) co_return co_await never();
  if (layers > 5) co_return co_await to_and_fro(layers - 1);
  co_return co_await through(layers - 1);
}
task<int> to_and_fro(int turns) { co_return co_await through(turns); }
task<void> in_an_epoch() {
  co_await epoch([]() -> task<void> { co_await through(1); });
}

task<int> wait_for_each_other() {
  auto mine = at((this_pe() + 1) % pe_count()).future<never>();
  co_return co_await mine;
}

void reads_nothing() {
  const global_ptr<int> nothing;
  auto value = nothing.read();
}

task<void> nap() { co_await sleep_for(300ms); }
task<int> wait_for_ever() {
  std::printf("PE %d is process %d\n", this_pe(), static_cast<int>(getpid()));
  std::fflush(stdout);
  co_await sleep_for(100s);
  co_return 0;
}

task<int> program(arguments args) {
  const std::string& how = args[1];
  const pe_id last = pe_count() - 1;
  if (how == "return") co_return std::atoi(args[2].c_str());
  if (how == "throw") throw torn_net("mesh 4");
  if (how == "throw-elsewhere") co_await at(last).now<tear>();
  if (how == "late-send") {
    destroyed_after_main.armed = true;
    co_return 0;
  }
  if (how == "late-object") {
    (void)create<sends_at_its_end>(at(last));
    co_await quiescence();
    co_return 0;
  }
  if (how == "thread") co_await at(last).now<by_a_thread>(args[2]);
  if (how == "throw-any") throw_any(args[2]);
  if (how == "throw-any-past") at(last).past<throw_any>(args[2]);
  if (how == "throw-any-later") at(last).past<throw_any_later>(args[2]);
  if (how == "throw-any-method") create<thrower>(at(last)).past<&thrower::fail>(args[2]);
  if (how == "throw-past") at(last).past<tear>();
  if (how == "throw-past-in-epoch") co_await epoch([] { return tear_at(pe_count() - 1); });
  if (how == "throw-past-task") at(last).past<tear_later>();
  if (how == "fail") at(last).past<break_contract>();
  if (how == "exit") co_await at(last).now<leave>(std::atoi(args[2].c_str()));
  if (how == "quick-exit") co_await at(last).now<leave_quickly>();
  if (how == "fail-late") {
    co_await at(last).now<arm>();
    co_return 0;
  }
  if (how == "crash") co_await at(last).now<crash>(args[2]);
  if (how == "thread-exit") co_await at(last).now<leave_from_a_thread>();
  if (how == "deadlock") co_return co_await at(last).now<wait_for_each_other>();
  if (how == "deadlock-deep") co_return co_await at(last).now<through>(9);
  if (how == "deadlock-in-epoch") co_await at(last).now<in_an_epoch>();
  if (how == "sleep") {
    co_await at(last).now<nap>();
    co_return 0;
  }
  if (how == "wait") co_await everywhere().now<wait_for_ever>();
  if (how == "no-such-pe") at(pe_count()).past<tear>();
  if (how == "null-pointer") reads_nothing();
  if (how == "out-of-bounds") {
    auto a = co_await allocate<int>(last, 10);
    co_await a[10].write(1);
  }
  if (how == "pieces-out-of-bounds") {
    auto a = co_await allocate<int>(last, 10);
    const std::vector<int> values(10);
    co_await a.strided(10, 1, 2).write(values).notify<tear>();
  }
  if (how == "pieces-of-another-size") {
    auto a = co_await allocate<int>(last, 10);
    const std::vector<int> values(6);
    co_await a.strided(5, 1, 2).write(values);
  }
  if (how == "freed") {
    auto a = co_await allocate<int>(last, 10);
    co_await deallocate(a);
    co_await a[1].read();
  }
  if (how == "freed-in-the-midst") {
    auto a = co_await allocate<int>(last, 10);
    co_await deallocate(a + 3);
  }
  if (how == "unshared-elsewhere") {
    auto a = co_await allocate<int>(last, 10);
    unshare(a);
  }
  if (how == "arguments") {
    std::vector<std::string> words(args.begin() + 2, args.end());
    expect(words == std::vector<std::string>{"--flag", "--", "--tsubu-no-option", "--tsubu-pes=2"},
           "the program's arguments");
    co_return 0;
  }
  if (how == "missing-argument") co_return args[7] == "x";
  if (how == "numbers") {
    expect(args.number(2, 0) == -42 && args.number<std::uint64_t>(3, 0) == ~std::uint64_t{0}, "whole numbers");
    expect(args.number(4, 0.0) == -2.5e3 && args.number(9, 7) == 7, "a real one, and one that is not there");
  }
  if (how == "no-number") co_return args.number(2, 7);
  if (how == "no-short") co_return args.number<short>(2, 7);
  if (how == "negative") co_return args.number<unsigned>(2, 7) == 7;
  if (how == "no-real") co_return args.number(2, 0.5F) == 0.5F;
  co_await sleep_for(10s);  // the job ends before
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
