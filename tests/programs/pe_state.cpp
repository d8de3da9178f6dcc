// Promise: a pe_local is one variable for each PE, made when first used and destroyed with its PE; a task
// may sleep while messages run; a program run on all PEs and one run on PE 0 see the same world.
#include "tests/programs/expect.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace {

std::atomic<int> made{0};
std::atomic<int> destroyed{0};

struct counted {
  counted() { ++made; }
  counted(const counted&) = delete;
  ~counted() { ++destroyed; }
  long value = 0;
};

pe_local<counted> state;
pe_local<std::vector<pe_id>> table([] { return std::vector<pe_id>(3, this_pe()); });
pe_local<int> never_used;

task<void> locals() {
  state->value = this_pe() * 10;
  (*table)[1] = -this_pe();
  co_await barrier();
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    expect_equal(co_await at(pe).now([] { return state->value; }), pe * 10L, "a PE's own value");
    const auto there = co_await at(pe).now([] { return *table; });
    expect(there == std::vector<pe_id>{pe, -pe, pe}, "a value made by a function");
  }
  co_await barrier();
}

pe_local<tsubu::sync<long>> box;

// While a program sleeps its PE answers.
task<void> sleeping() {
  const std::int64_t begin = now_ns();
  auto nap = start([]() -> task<void> { co_await sleep_for(30ms); }());
  long answers = 0;
  while (!nap.ready()) {
    answers += co_await at((this_pe() + 1) % pe_count()).now([] { return 1L; });
  }
  co_await std::move(nap);
  expect(now_ns() - begin >= 30'000'000, "a sleep takes its time");
  expect(answers > 0, "messages run meanwhile");
  co_await sleep_for(0ms);
}

// Quiescence waits for sleepers, anywhere.
task<void> quiescence_waits() {
  const std::int64_t begin = now_ns();
  const pe_id there = (this_pe() + 1) % pe_count();
  at(there).past([]() -> task<void> {
    co_await sleep_for(20ms);
    box->write(this_pe());
  });
  co_await quiescence();
  expect(now_ns() - begin >= 20'000'000, "quiescence waits for a sleeper");
  expect_equal(box->size(), 1U, "what the sleeper left");
  co_await box->read();
  co_await barrier();
}

// Plain functions that wait, as fibers, on several PEs.
long ask_in_a_fiber(pe_id pe) {
  return wait(at(pe).now([] { return long{this_pe()}; }));
}

task<void> fibers() {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const long answer = co_await run_fiber(ask_in_a_fiber, pe);
    expect_equal(answer, pe, "what a fiber was answered");
  }
}

task<int> program(arguments) {
  expect(transport_name() == "threads" || transport_name() == "sim" || transport_name() == "openmpi" ||
             transport_name() == "mpich" || transport_name() == "mpi_abi",
         "the transport");
  co_await locals();
  co_await sleeping();
  co_await quiescence_waits();
  co_await fibers();
  co_await barrier();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int code = run_spmd(argc, argv, program);
  if (made.load() == 0 || made.load() != destroyed.load()) {
    std::fprintf(stderr, "%d values made, %d destroyed\n", made.load(), destroyed.load());
    return 1;
  }
  return code;
}
