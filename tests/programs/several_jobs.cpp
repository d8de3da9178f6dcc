// Promise: run() may be called again, also under MPI; each job is new, and begins with the same arguments. Outside a
// job what needs one says so. several_jobs KIND.
#include <string>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

int jobs_before = 0;

struct counter : object<counter> {
  long n = 0;
  void add(long k) { n += k; }
  long get() { return n; }
};

pe_local<long> received;
void receive(long n) { *received += n; }

// Something of every floor, and all of it starts from nothing.
task<int> all_floors(arguments args) {
  expect_equal(args.size(), 2U, "the number of arguments");
  expect_equal(*received, 0, "what earlier jobs have received");
  const pe_id next = (this_pe() + 1) % pe_count();
  for (int i = 0; i < 10'000; ++i) at(next).past<receive>(1);
  co_await quiescence();
  const long all = co_await all_reduce(*received, reduce::plus);
  expect_equal(all, 10'000L * pe_count(), "what was received in all");

  const ref<counter> far = create<counter>(at(next));
  for (int i = 0; i < 100; ++i) far.past<&counter::add>(2);
  const long n = co_await far.now<&counter::get>();
  expect_equal(n, 200, "the far counter");

  const global_ptr<long> memory = co_await allocate<long>(this_pe(), 4);
  const auto everyones = co_await all_gather(memory);
  co_await everyones[static_cast<std::size_t>(next)].fetch_add(jobs_before + 1);
  co_await barrier();
  const long here = co_await memory.read();
  expect_equal(here, jobs_before + 1, "a word of shared memory");

  shared<long> sum;
  if (this_pe() == 0) sum = create_shared(protocol::accumulate, 5L);
  sum = co_await broadcast(sum);
  sum.add(1);
  co_await quiescence();
  const long added = co_await sum.read();
  expect_equal(added, 5 + pe_count(), "a shared variable");
  co_return 10 + jobs_before;
}

task<int> fails(arguments) {
  if (this_pe() == pe_count() - 1) fail("in the second job");
  co_await barrier();
  co_return 0;
}

task<int> nothing(arguments) { co_return 0; }

// Each finds the cores of the machine, and not the one that the last one bound its thread to.
int pes_before = 0;
task<int> counts_pes(arguments) {
  if (pes_before != 0) expect_equal(pe_count(), pes_before, "the number of PEs of a job behind another");
  pes_before = pe_count();
  co_return 0;
}

int three_jobs(int argc, char** argv) {
  for (; jobs_before < 3; ++jobs_before) {
    const int code = run_spmd(argc, argv, all_floors);
    expect_equal(code, 10 + jobs_before, "the job's exit code");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "three") return three_jobs(argc, argv);
  if (kind == "cores") return run(argc, argv, counts_pes) + run(argc, argv, counts_pes);
  if (kind == "second-fails") return run_spmd(argc, argv, nothing) + run_spmd(argc, argv, fails);
  // Some ranks go on to another job, and the others do not.
  if (kind == "uneven")
    return run_spmd(argc, argv, nothing) + (std::getenv("ONCE") == nullptr ? run_spmd(argc, argv, nothing) : 0);
  if (kind == "send-before") at(0).past<receive>(1);
  if (kind == "create-before") create<counter>(at(0));
  if (kind == "send-after") {
    run_spmd(argc, argv, nothing);
    at(0).past<receive>(1);
  }
  return 3;
}
