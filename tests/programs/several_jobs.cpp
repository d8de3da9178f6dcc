// Promise: run() may be called again, also under MPI; each job is new, and begins with the same arguments. Names that a
// program has kept from an earlier job are of nobody, whatever has their places now. Outside a job what needs one says
// so. several_jobs KIND.
#include <optional>
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

// ---- names that are kept beyond their job, by the process of PE 0

struct names {
  ref<counter> single, in_array;
  object_array<counter, by_cycle> all;
  global_ptr<long> memory;
  shared<long> variable;
  lock guard;
};
names old;
std::optional<cancel_source> old_source;

// PE 1 has it, and nobody waits for its answer any more.
std::optional<reply_to<long>> old_duty;
struct keeper : object<keeper> {
  void keep(reply_to<long> duty) { old_duty = std::move(duty); }
  void never(reply_to<long> duty) { duty_ = std::move(duty); }
  reply_to<long> duty_;
};

shared<long> make_variable() { return create_shared(protocol::update, 5L); }
lock make_lock() { return create_lock(); }

task<names> make_names() {
  const pe_id last = pe_count() - 1;
  names n;
  n.single = create<counter>(at(last));
  n.all = create_array<counter>(2 * pe_count(), by_cycle());
  n.in_array = n.all[static_cast<std::size_t>(last)];
  n.memory = co_await allocate<long>(last, 4);
  n.variable = co_await at(last).now<make_variable>();
  n.guard = co_await at(last).now<make_lock>();
  const long of_single = co_await n.single.now<&counter::get>();
  expect_equal(of_single, 0, "a new counter");
  co_return n;
}
// Objects end and begin in it, so that numbers have had other generations.
task<int> keep_names(arguments) {
  for (int i = 0; i < 10; ++i) {
    const ref<counter> brief = create<counter>(at(pe_count() - 1));
    brief.past<&counter::add>(1);
    brief.end();
    const shared<long> variable = co_await at(pe_count() - 1).now<make_variable>();
    co_await variable.end();
  }
  old = co_await make_names();
  old_source.emplace();
  co_return 0;
}

task<void> expect_gone(ref<counter> r) {
  std::string said;
  r.past<&counter::add>(1);  // is counted, and told when the job ends
  try {
    (void)co_await r.now<&counter::get>();
  } catch (const object_gone& gone) {
    said = gone.what();
  }
  expect(said.find("counter") != std::string::npos && said.find("of a job that has ended") != std::string::npos,
         "an old name is of nobody: " + said);
  monitor watch(r);
  const object_end end = co_await watch;
  expect(end.why == end_reason::gone, "a monitor of an old name");
}
task<int> use_old_names(arguments) {
  co_await expect_gone(old.single);
  co_await expect_gone(old.in_array);
  co_await expect_gone(old.all[0]);
  bool ended = false;
  try {
    (void)co_await old.variable.read();
  } catch (const variable_ended&) {
    ended = true;
  }
  expect(ended, "an old variable has ended");
  co_return 0;
}
task<int> make_and_use_old_names(arguments words) {
  const names fresh = co_await make_names();
  const cancel_source source;
  old_source->cancel();
  expect(!source.cancelled(), "an old token cancels no new source");
  old_source.reset();
  source.cancel();
  expect(source.cancelled(), "a new source after the end of an old one");
  const int code = co_await use_old_names(words);
  const long of_fresh = co_await fresh.in_array.now<&counter::get>();
  expect_equal(of_fresh, 0, "what the new objects have received");
  const long value = co_await fresh.variable.read();
  expect_equal(value, 5, "the new variable");
  co_return code;
}
task<int> use_old_memory(arguments) {
  (void)co_await make_names();
  co_await old.memory.write(1);
  co_return 0;
}
task<int> use_old_lock(arguments) {
  (void)co_await make_names();
  co_await old.guard.acquire();
  co_return 0;
}

task<int> keep_a_duty(arguments) {
  const ref<keeper> far = create<keeper>(at(1));
  auto nobody_waits = far.future<&keeper::keep>();
  co_await quiescence();
  co_return 0;
}
task<int> break_old_duty(arguments) {
  const ref<keeper> far = create<keeper>(at(1));
  auto answer = far.future<&keeper::never>();
  co_await at(1).now([] { old_duty.reset(); });
  co_return static_cast<int>(co_await std::move(answer));
}

int names_of_old_jobs(int argc, char** argv) {
  // Often enough that the generations of names have begun anew.
  for (int i = 0; i < 6; ++i) {
    int code = run(argc, argv, keep_names);
    code += run(argc, argv, use_old_names);
    code += run(argc, argv, make_and_use_old_names);
    expect_equal(code, 0, "the jobs' exit codes");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "three") return three_jobs(argc, argv);
  if (kind == "names") return names_of_old_jobs(argc, argv);
  if (kind == "memory") return run(argc, argv, keep_names) + run(argc, argv, use_old_memory);
  if (kind == "duty") return run(argc, argv, keep_a_duty) + run(argc, argv, break_old_duty);
  if (kind == "lock") return run(argc, argv, keep_names) + run(argc, argv, use_old_lock);
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
