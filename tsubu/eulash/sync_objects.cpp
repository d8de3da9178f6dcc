#include "tsubu/eulash/sync_objects.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/globals.hpp"
#include "tsubu/eulash/threads.hpp"
#include "tsubu/eulash/view.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/wait_reports.hpp"

// The linker's: the program and its own variables lie between them, at the same addresses in each process.
extern "C" {
extern const char __executable_start, _end;
}

namespace tsubu::placed {

void turn::grant() {
  granted_ = true;
  if (!record_.waiting()) return;
  if (most_ns_ >= 0) this_task_context->remove_timer(record_);
  record_.wake();
}

void turn::await_suspend(std::coroutine_handle<> task, std::source_location where) {
  record_.suspend(task, where);
  if (most_ns_ >= 0) this_task_context->add_timer(this_task_context->deadline_in(most_ns_), record_);
}

int turn::await_resume() const { return granted_ ? 0 : ETIMEDOUT; }

namespace {

turn* take_first(std::deque<turn*>& of) {
  turn* const first = of.front();
  of.pop_front();
  return first;
}
void grant_all(std::deque<turn*>& of) {
  while (!of.empty()) take_first(of)->grant();
}

// A line for each object for which somebody waits: who has it, or what is missing.
std::vector<std::string> report_objects() {
  std::vector<std::string> lines;
  const sync_objects& all = *objects_here;
  for (const auto& [at, m] : all.mutexes) {
    if (!m.waiting.empty())
      lines.push_back(fmt::format("the mutex {} is held by {}", name_of(at), name_of_thread(m.holder)));
  }
  for (const auto& [at, waiting] : all.conditions) {
    if (!waiting.empty()) {
      lines.push_back(
          fmt::format("nobody signals the condition variable {}, for which {} wait", name_of(at), waiting.size()));
    }
  }
  for (const auto& [at, b] : all.barriers) {
    if (!b.arrived.empty()) {
      lines.push_back(fmt::format("the barrier {} has {} arrivals of {}", name_of(at), b.arrived.size(), b.count));
    }
  }
  for (const auto& [at, l] : all.rwlocks) {
    if (l.to_read.empty() && l.to_write.empty()) continue;
    lines.push_back(fmt::format("the read-write lock {} is held by {}", name_of(at),
                                l.writer != 0 ? name_of_thread(l.writer) : fmt::format("{} readers", l.readers)));
  }
  for (const auto& [at, o] : all.onces) {
    if (!o.waiting.empty())
      lines.push_back(fmt::format("the function of pthread_once() {} has not ended", name_of(at)));
  }
  for (const auto& [at, s] : all.semaphores) {
    if (!s.waiting.empty()) lines.push_back(fmt::format("nobody posts the semaphore {}", name_of(at)));
  }
  return lines;
}

bool busy(const mutex_state& m) { return m.holder != 0 || !m.waiting.empty(); }

}  // namespace

sync_objects::sync_objects() { remote::current_pe->waits.report_by(&report_objects); }

pe_id home_of_object(std::uint64_t address) {
  const layout& where = views->where;
  pe_id home = 0;
  if (where.holds(address)) {
    require(where.offset_of(address) < where.span(),
            "a thread uses an object {} in shared memory that nobody has allocated", [&] { return name_of(address); });
    home = where.home_of(where.offset_of(address));
  } else if (where.holds_stack(address)) {
    home = where.owner_of_stack(address);
  } else {
    const auto begin = reinterpret_cast<std::uintptr_t>(&__executable_start);
    const auto end = reinterpret_cast<std::uintptr_t>(&_end);
    require(address >= begin && address < end,
            "a thread waits for an object {}, in private memory, where other processes may have something else: "
            "allocate what has "
            "mutexes and their like in shared memory",
            [&] { return name_of(address); });
  }
  require(home < pe_count(), "a thread uses an object {}, which no process has", [&] { return name_of(address); });
  return home;
}

// ---- mutexes

int init_mutex(std::uint64_t at, int kind) {
  objects_here->mutexes.insert_or_assign(at, mutex_state{0, 0, kind, {}});
  return 0;
}

int destroy_mutex(std::uint64_t at) {
  const auto found = objects_here->mutexes.find(at);
  if (found == objects_here->mutexes.end()) return 0;
  if (busy(found->second)) return EBUSY;
  objects_here->mutexes.erase(found);
  return 0;
}

int try_lock_mutex(std::uint64_t at, std::uint64_t who) {
  mutex_state& m = objects_here->mutexes[at];
  if (m.holder == who && m.kind == PTHREAD_MUTEX_RECURSIVE) {
    ++m.depth;
    return 0;
  }
  if (m.holder != 0) return EBUSY;
  m.holder = who;
  m.depth = 1;
  return 0;
}

task<int> lock_mutex(std::uint64_t at, std::uint64_t who, std::int64_t most_ns) {
  if (try_lock_mutex(at, who) == 0) co_return 0;
  mutex_state& m = objects_here->mutexes[at];
  if (m.holder == who && m.kind == PTHREAD_MUTEX_ERRORCHECK) co_return EDEADLK;
  turn mine(who, most_ns);
  m.waiting.push_back(&mine);
  const int result = co_await mine;
  if (result != 0) std::erase(m.waiting, &mine);
  co_return result;
}

int unlock_mutex(std::uint64_t at, std::uint64_t who) {
  const auto found = objects_here->mutexes.find(at);
  const bool held = found != objects_here->mutexes.end() && found->second.holder == who;
  if (!held) {
    if (found != objects_here->mutexes.end() && found->second.kind != PTHREAD_MUTEX_NORMAL) return EPERM;
    fail(fmt::format("a thread unlocks the mutex {}, which it does not hold", name_of(at)));
  }
  mutex_state& m = found->second;
  if (--m.depth != 0) return 0;
  if (m.waiting.empty()) {
    m.holder = 0;
    if (m.kind == PTHREAD_MUTEX_NORMAL) objects_here->mutexes.erase(found);
    return 0;
  }
  turn* const next = take_first(m.waiting);
  m.holder = next->who();
  m.depth = 1;
  next->grant();
  return 0;
}

// ---- condition variables

task<int> wait_condition(std::uint64_t at, std::uint64_t mutex, std::uint64_t who, std::int64_t most_ns) {
  turn mine(who, most_ns);
  // It waits before it unlocks: a signal by who locks then finds it.
  objects_here->conditions[at].push_back(&mine);
  const pe_id home = home_of_object(mutex);
  co_await tsubu::at(home).now<&unlock_mutex>(mutex, who);
  const int result = co_await mine;
  if (result != 0) std::erase(objects_here->conditions[at], &mine);
  co_await tsubu::at(home).now<&lock_mutex>(mutex, who, without_limit);
  co_return result;
}

void wake_condition(std::uint64_t at, bool all) {
  const auto found = objects_here->conditions.find(at);
  if (found == objects_here->conditions.end()) return;
  if (all) {
    grant_all(found->second);
  } else if (!found->second.empty()) {
    take_first(found->second)->grant();
  }
  if (found->second.empty()) objects_here->conditions.erase(found);
}

int destroy_condition(std::uint64_t at) {
  const auto found = objects_here->conditions.find(at);
  if (found == objects_here->conditions.end()) return 0;
  if (!found->second.empty()) return EBUSY;
  objects_here->conditions.erase(found);
  return 0;
}

// ---- barriers

int init_barrier(std::uint64_t at, std::uint32_t count) {
  if (count == 0) return EINVAL;
  barrier_state& b = objects_here->barriers[at];
  if (!b.arrived.empty()) return EBUSY;
  b.count = count;
  return 0;
}

int destroy_barrier(std::uint64_t at) {
  const auto found = objects_here->barriers.find(at);
  if (found == objects_here->barriers.end()) return EINVAL;
  if (!found->second.arrived.empty()) return EBUSY;
  objects_here->barriers.erase(found);
  return 0;
}

task<int> wait_barrier(std::uint64_t at, std::uint64_t who) {
  barrier_state& b = objects_here->barriers[at];
  require(b.count != 0, "a thread waits at the barrier {}, which nobody has initialised", [&] { return name_of(at); });
  if (b.arrived.size() + 1 == b.count) {
    grant_all(b.arrived);
    co_return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  turn mine(who, without_limit);
  b.arrived.push_back(&mine);
  co_await mine;
  co_return 0;
}

// ---- read-write locks

int try_lock_rwlock(std::uint64_t at, std::uint64_t who, bool writes) {
  rwlock_state& l = objects_here->rwlocks[at];
  if (l.writer != 0 || (writes && l.readers != 0)) return EBUSY;
  if (writes) {
    l.writer = who;
  } else {
    ++l.readers;
  }
  return 0;
}

task<int> lock_rwlock(std::uint64_t at, std::uint64_t who, bool writes) {
  if (try_lock_rwlock(at, who, writes) == 0) co_return 0;
  rwlock_state& l = objects_here->rwlocks[at];
  if (l.writer == who) co_return EDEADLK;
  turn mine(who, without_limit);
  (writes ? l.to_write : l.to_read).push_back(&mine);
  co_await mine;
  co_return 0;
}

int unlock_rwlock(std::uint64_t at, std::uint64_t who) {
  const auto found = objects_here->rwlocks.find(at);
  if (found == objects_here->rwlocks.end() || (found->second.writer != who && found->second.readers == 0)) {
    fail(fmt::format("a thread unlocks the read-write lock {}, which it does not hold", name_of(at)));
  }
  rwlock_state& l = found->second;
  if (l.writer == who) {
    l.writer = 0;
  } else {
    --l.readers;
  }
  if (l.readers != 0) return 0;
  if (!l.to_read.empty()) {
    l.readers = static_cast<std::uint32_t>(l.to_read.size());
    grant_all(l.to_read);
  } else if (!l.to_write.empty()) {
    turn* const next = take_first(l.to_write);
    l.writer = next->who();
    next->grant();
  } else {
    objects_here->rwlocks.erase(found);
  }
  return 0;
}

int destroy_rwlock(std::uint64_t at) {
  // An unlocked one is not kept.
  return objects_here->rwlocks.contains(at) ? EBUSY : 0;
}

// ---- once

task<bool> begin_once(std::uint64_t at) {
  once_state& o = objects_here->onces[at];
  if (o.done) co_return false;
  if (!o.begun) {
    o.begun = true;
    co_return true;
  }
  turn mine(0, without_limit);
  o.waiting.push_back(&mine);
  co_await mine;
  co_return false;
}

void finish_once(std::uint64_t at) {
  once_state& o = objects_here->onces[at];
  o.done = true;
  grant_all(o.waiting);
}

// ---- semaphores

int init_semaphore(std::uint64_t at, std::uint32_t value) {
  objects_here->semaphores.insert_or_assign(at, semaphore_state{value, {}});
  return 0;
}

int destroy_semaphore(std::uint64_t at) {
  objects_here->semaphores.erase(at);
  return 0;
}

int try_wait_semaphore(std::uint64_t at) {
  semaphore_state& s = objects_here->semaphores[at];
  if (s.value == 0) return EAGAIN;
  --s.value;
  return 0;
}

task<int> wait_semaphore(std::uint64_t at, std::uint64_t who) {
  if (try_wait_semaphore(at) == 0) co_return 0;
  turn mine(who, without_limit);
  objects_here->semaphores[at].waiting.push_back(&mine);
  co_await mine;
  co_return 0;
}

int post_semaphore(std::uint64_t at) {
  semaphore_state& s = objects_here->semaphores[at];
  if (s.waiting.empty()) {
    ++s.value;
  } else {
    take_first(s.waiting)->grant();
  }
  return 0;
}

std::uint32_t value_of_semaphore(std::uint64_t at) { return objects_here->semaphores[at].value; }

}  // namespace tsubu::placed
