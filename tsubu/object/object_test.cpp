// Promise: objects keep what tsubu/object/object.hpp and ref.hpp say, in whatever order packets come and PEs run, and
// whether messages are executed on their sender's stack or queued. Method: all PEs in one thread, in random
// interleavings. OBJECT_TEST_SEED begins elsewhere.
#include <gtest/gtest.h>

#include <deque>

#include "tests/interleaved_job.hpp"
#include "tests/object_actors.hpp"

namespace tsubu::object_test {
namespace {

using test::interleaved_job;

std::uint64_t first_seed() {
  const char* chosen = std::getenv("OBJECT_TEST_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  return first;
}

std::uint64_t seeds() {
  const char* n = std::getenv("OBJECT_TEST_SEEDS");
  return n != nullptr ? std::strtoull(n, nullptr, 10) : 3000;
}

// Outside the drivers no stack is deep enough to execute a message on it; while this lives, it is.
class stack_scope {
 public:
  explicit stack_scope(bool on) : before_(this_stack_limit) {
    if (on) this_stack_limit = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 256 * 1024;
  }
  stack_scope(const stack_scope&) = delete;
  stack_scope& operator=(const stack_scope&) = delete;
  ~stack_scope() { this_stack_limit = before_; }

 private:
  std::uintptr_t before_;
};

task<void> to_its_end(task<void> program) {
  co_await std::move(program);
  remote::current_pe->quiescence.program_ended(0);
}

// Runs `program` on PE 0 until the job ends.
void play(interleaved_job& job, bool on_the_stack, task<void> program) {
  // What a fiber needs of its thread.
  for (pe_id pe = 0; pe < job.wires().size(); ++pe) const task_context_scope known(job[pe].tasks);
  const stack_scope stack(on_the_stack);
  job[0].expect_programs(1);
  spawn(to_its_end(std::move(program)));
  ASSERT_TRUE(job.run()) << "the job does not end";
}

// ---- everything at once

TEST(object_storm, random_programs) {
  const std::uint64_t first = first_seed();
  long messages = 0;
  for (std::uint64_t seed = first; seed < first + (TSUBU_ASAN || TSUBU_TSAN ? 300 : seeds()); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(1 + seed % 5);
    interleaved_job job(pes, seed, seed % 7 == 0 ? 2 : 1);
    test::actors::settings s;
    s.seed = seed;
    s.messages = 20;
    s.objects = 2;
    s.in_epoch = seed % 3 == 0;
    play(job, seed % 2 == 0, [](test::actors::settings set, long* sum) -> task<void> {
      *sum += co_await test::actors::storm(set);
    }(s, &messages));
    if (HasFailure()) return;
  }
  std::printf("%ld messages\n", messages);
}

}  // namespace
}  // namespace tsubu::object_test
