// Promise: who watches an object is told of its end, once, with the reason, wherever the object has moved; a supervisor
// that restarts what crashes gets all of its work done. What a method throws is caught as its type.
#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/object/watches.hpp"

using namespace tsubu;

namespace programs::supervised {

struct bad_job : std::runtime_error {
  using std::runtime_error::runtime_error;
  bad_job(long number, pe_id on)
      : std::runtime_error("job " + std::to_string(number) + " is bad"), job(number), pe(on) {}
  long job = -1;
  pe_id pe = no_pe;
  template <class A>
  void serialize(A& a) {
    a(job, pe);
  }
};
struct unknown_job : std::runtime_error {
  using std::runtime_error::runtime_error;
};
const bool registered = register_exception<bad_job>();

struct worker : object<worker> {
  // Each job is added once; every tenth crashes the worker that has it.
  void work(long job) {
    if (job % 10 == 3) throw bad_job(job, this_pe());
    done += job;
  }
  task<void> work_later(long job) {
    co_await yield();
    work(job);
  }
  long get() { return done; }
  long ask(long job) {
    if (job < 0) throw unknown_job("there is no job " + std::to_string(job));
    work(job);
    return done;
  }
  void keep(reply_to<long> to) { kept = std::move(to); }
  void drop() { kept = reply_to<long>(); }
  task<void> serve() {
    while (open) co_await accept<&worker::close>();
  }
  void close() { open = false; }
  template <class A>
  void serialize(A& a) {
    a(done);
  }
  long done = 0;
  bool open = true;
  reply_to<long> kept;
};

// ---- typed exceptions

task<void> exceptions(pe_id on) {
  const ref<worker> w = create<worker>(at(on));
  bool caught = false;
  try {
    co_await w.now<&worker::ask>(13L);
  } catch (const bad_job& e) {
    caught = e.job == 13 && e.pe == on && std::string(e.what()) == "job 13 is bad";
  }
  expect(caught, "an exception of a registered type keeps it, and its members");
  caught = false;
  try {
    co_await w.now<&worker::ask>(13L);
  } catch (const remote_error& e) {
    caught = e.pe() == on && e.message() == "job 13 is bad";
  }
  expect(caught, "it is a remote_error, too");
  caught = false;
  auto later = w.future<&worker::ask>(-1L);
  try {
    co_await later;
  } catch (const std::runtime_error& e) {
    caught = std::string(e.what()).ends_with("unknown_job: there is no job -1");
  }
  expect(caught, "one that is not registered is told");
  // By a function on another PE, and through it.
  caught = false;
  try {
    co_await at((on + 1) % pe_count()).now([w]() -> task<long> { co_return co_await w.now<&worker::ask>(23L); });
  } catch (const bad_job& e) {
    caught = e.job == 23 && e.pe == on;
  }
  expect(caught, "who is in the middle changes nothing");
  caught = false;
  try {
    co_await at(on).now([](std::size_t i) { return std::string("abc").at(i); }, std::size_t{5});
  } catch (const std::out_of_range&) {
    caught = true;
  }
  expect(caught, "an exception of the standard library");
  w.end();
}

task<void> duties(pe_id on) {
  const ref<worker> w = create<worker>(at(on));
  auto answer = w.future<&worker::keep>();
  w.past<&worker::drop>();
  std::string said;
  try {
    co_await answer;
  } catch (const broken_duty& e) {
    said = e.what();
  }
  expect(said.starts_with("the duty to reply was dropped"), "a dropped duty: " + said);
  w.end();
  std::string object, method;
  try {
    co_await w.now<&worker::get>();
  } catch (const object_gone& e) {
    object = e.object();
    method = e.method();
  }
  expect(object.find("worker ") != std::string::npos && object.ends_with("on PE " + std::to_string(on)),
         "who is gone: " + object);
  expect(method.ends_with("worker::get"), "which method: " + method);
  // Through another PE, too.
  bool caught = false;
  try {
    co_await at((on + 1) % pe_count()).now([w]() -> task<long> { co_return co_await w.now<&worker::get>(); });
  } catch (const object_gone& e) {
    caught = e.object() == object && e.method() == method;
  }
  expect(caught, "who asked for somebody else");
}

// ---- ends

task<void> reasons(pe_id on) {
  {
    const ref<worker> w = create<worker>(at(on));
    monitor first(w), second(w);
    expect(!first.told(), "it lives");
    w.end();
    const object_end one = co_await first;
    const object_end two = co_await second;
    expect(one.why == end_reason::ended && two.why == end_reason::ended && one.error == nullptr, "it was told to end");
    monitor late(w);
    expect((co_await late).why == end_reason::gone, "it had ended before");
  }
  for (const bool waits : {false, true}) {
    const ref<worker> w = create<worker>(at(on));
    monitor m(w);
    if (waits) {
      w.past<&worker::work_later>(3L);
    } else {
      w.past<&worker::work>(3L);
    }
    const object_end end = co_await m;
    expect(end.why == end_reason::failed, "it has failed");
    bool caught = false;
    try {
      std::rethrow_exception(end.error);
    } catch (const bad_job& e) {
      caught = e.job == 3 && e.pe == on;
    }
    expect(caught, "by an exception of its type");
  }
  {
    // Also if it is busy for long, and wherever it has gone.
    const ref<worker> w = create<worker>(at(on));
    w.past<&worker::serve>();
    monitor m(w);
    co_await w.status();
    auto moved = w.move_to((on + 1) % pe_count());
    w.past<&worker::close>();
    co_await std::move(moved);
    monitor again(w);
    const ref<worker> same = w;
    auto back = same.move_to(on);
    co_await std::move(back);
    expect(!m.told() && !again.told(), "a move is no end");
    w.past<&worker::work>(3L);
    expect((co_await m).why == end_reason::failed, "after it has moved");
    expect((co_await again).why == end_reason::failed, "after it has moved, the second monitor");
  }
  {
    // Who has gone away is forgotten: the object lives, and is watched by nobody.
    const ref<worker> w = create<worker>(at(on));
    for (int i = 0; i < 100; ++i) monitor(w).told();
    co_await w.now<&worker::get>();
    const std::size_t left = co_await w.now([](worker&) { return tsubu::objects::this_space().watchers().size(); });
    expect_equal(left, 0U, "watched objects");
    w.end();
  }
}

// ---- a supervisor: each of its tasks keeps one worker going, until all jobs are done

struct results {
  long sum = 0;
  long crashes = 0;
};

task<results> keep_working(pe_id on, long first, long jobs) {
  results r;
  const long end_of_jobs = first + jobs;
  for (long job = first; job < end_of_jobs;) {
    const ref<worker> w = create<worker>(at((on + static_cast<pe_id>(r.crashes)) % pe_count()));
    monitor m(w);
    // What it had done before it crashed was asked for before.
    long done = 0;
    bool crashed = false;
    while (job < end_of_jobs && !crashed) {
      w.past<&worker::work>(job++);
      try {
        done = co_await w.now<&worker::get>();
      } catch (const object_gone&) {
        crashed = true;
      }
    }
    r.sum += done;
    r.crashes += crashed ? 1 : 0;
    if (!crashed) w.end();
    const object_end end = co_await m;
    expect((end.why == end_reason::failed) == crashed, "why it has ended");
  }
  co_return r;
}

task<void> supervisor(long jobs) {
  std::vector<task<results>> all;
  for (pe_id pe = 0; pe < pe_count(); ++pe) all.push_back(keep_working(pe, pe * jobs, jobs));
  const std::vector<results> found = co_await when_all(std::move(all));
  long sum = 0, crashes = 0, wanted = 0, bad = 0;
  for (const results& r : found) {
    sum += r.sum;
    crashes += r.crashes;
  }
  for (long job = 0; job < jobs * pe_count(); ++job) (job % 10 == 3 ? bad : wanted) += job % 10 == 3 ? 1 : job;
  expect_equal(sum, wanted, "the work of those that crashed and those that did not");
  expect_equal(crashes, bad, "crashes");
}

// Two that end together: a link is a task that waits for the one and ends the other.
task<void> end_with(ref<worker> one, ref<worker> other) {
  co_await monitor(one);
  other.end();
}
task<void> links(pe_id on) {
  const ref<worker> a = create<worker>(at(on)), b = create<worker>(here());
  spawn(end_with(a, b));
  spawn(end_with(b, a));
  monitor m(b);
  a.past<&worker::work>(3L);
  expect((co_await m).why == end_reason::ended, "the other ends, too");
  co_await quiescence();
}

task<int> program(arguments args) {
  for (pe_id on = 0; on < pe_count(); ++on) {
    co_await exceptions(on);
    co_await duties(on);
    co_await reasons(on);
    co_await links(on);
  }
  co_await supervisor(static_cast<long>(option(args, "--jobs", 100)));
  co_return 0;
}

const test::joined_program entry("supervised", run, program);

}  // namespace programs::supervised
