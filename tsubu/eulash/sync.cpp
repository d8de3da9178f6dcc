// The functions of threads.h by which threads wait for each other: each is a message to the home of its object, or no
// message where that is this process and nobody has to wait.
#include <cerrno>
#include <cstdint>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/place.hpp"
#include "tsubu/eulash/races.hpp"
#include "tsubu/eulash/sync_objects.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::placed {
namespace {

template <class T>
std::uint64_t address_of(const T* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

// F(address, arguments...) at the home of the object.
template <auto F, class... A>
auto at_home(std::uint64_t object, std::source_location where, A... arguments) {
  const pe_id home = home_of_object(object);
  if constexpr (!remote::signature_of<decltype(F)>::is_task) {
    if (home == views->me) return F(object, arguments...);
  }
  return wait_here(at(home).now<F>(object, arguments...), where);
}
template <auto F, class... A>
auto at_home_of(std::uint64_t object, A... arguments) {
  return at_home<F>(object, std::source_location::current(), arguments...);
}

// So long from now, as the clock of that name has it; none in the past.
std::int64_t ns_until(const timespec* until, clockid_t clock) {
  timespec end, now;
  copy_out(address_of(until), &end, sizeof end);
  eulash_clock_gettime(clock, &now);
  const std::int64_t ns = (end.tv_sec - now.tv_sec) * 1'000'000'000 + (end.tv_nsec - now.tv_nsec);
  return ns < 0 ? 0 : ns;
}

// The thread that runs has got the object, if there was no error; which it gives.
int got(std::uint64_t object, int error) {
  if (error == 0) has_got(object);
  return error;
}
int got_lock(std::uint64_t rwlock, bool writes, int error) {
  if (error != 0 || !looks_for_races()) return error;
  if (writes) {
    races_of_job().acquire_to_write(running->number, rwlock);
  } else {
    has_got(rwlock);
  }
  return 0;
}

int lock(std::uint64_t mutex, std::int64_t most_ns, eulash_line where) {
  const std::uint64_t who = running->number;
  if (home_of_object(mutex) == views->me && try_lock_mutex(mutex, who) == 0) return got(mutex, 0);
  return got(mutex, at_home<&lock_mutex>(mutex, source_location_of(*where), who, most_ns));
}
int try_lock(std::uint64_t mutex) { return got(mutex, at_home_of<&try_lock_mutex>(mutex, running->number)); }
int unlock(std::uint64_t mutex) {
  lets_go(mutex);
  return at_home_of<&unlock_mutex>(mutex, running->number);
}

int wait_for(std::uint64_t condition, std::uint64_t mutex, std::int64_t most_ns, eulash_line where) {
  lets_go(mutex);
  const int error = at_home<&wait_condition>(condition, source_location_of(*where), mutex, running->number, most_ns);
  has_got(mutex);
  return got(condition, error);
}
void wake(std::uint64_t condition, bool all) {
  lets_go(condition);
  at_home_of<&wake_condition>(condition, all);
}

int lock_for(std::uint64_t rwlock, bool writes, eulash_line where) {
  const std::uint64_t who = running->number;
  if (home_of_object(rwlock) == views->me && try_lock_rwlock(rwlock, who, writes) == 0) {
    return got_lock(rwlock, writes, 0);
  }
  return got_lock(rwlock, writes, at_home<&lock_rwlock>(rwlock, source_location_of(*where), who, writes));
}
int try_lock_for(std::uint64_t rwlock, bool writes) {
  return got_lock(rwlock, writes, at_home_of<&try_lock_rwlock>(rwlock, running->number, writes));
}

// Semaphores tell errors by errno.
int by_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" {

// ---- mutexes

int eulash_pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attr) {
  int kind = PTHREAD_MUTEX_NORMAL;
  if (attr != nullptr) {
    pthread_mutexattr_t own;
    copy_out(address_of(attr), &own, sizeof own);
    pthread_mutexattr_gettype(&own, &kind);
  }
  return at_home_of<&init_mutex>(address_of(m), kind);
}
int eulash_pthread_mutex_destroy(pthread_mutex_t* m) { return at_home_of<&destroy_mutex>(address_of(m)); }
int eulash_mutex_lock_at(pthread_mutex_t* m, eulash_line where) { return lock(address_of(m), without_limit, where); }
int eulash_mutex_timedlock_at(pthread_mutex_t* m, const timespec* until, eulash_line where) {
  return lock(address_of(m), ns_until(until, CLOCK_REALTIME), where);
}
int eulash_pthread_mutex_trylock(pthread_mutex_t* m) { return try_lock(address_of(m)); }
int eulash_pthread_mutex_unlock(pthread_mutex_t* m) { return unlock(address_of(m)); }

int eulash_pthread_spin_init(pthread_spinlock_t* m, int) {
  return at_home_of<&init_mutex>(address_of(m), int{PTHREAD_MUTEX_NORMAL});
}
int eulash_pthread_spin_destroy(pthread_spinlock_t* m) { return at_home_of<&destroy_mutex>(address_of(m)); }
int eulash_spin_lock_at(pthread_spinlock_t* m, eulash_line where) { return lock(address_of(m), without_limit, where); }
int eulash_pthread_spin_trylock(pthread_spinlock_t* m) { return try_lock(address_of(m)); }
int eulash_pthread_spin_unlock(pthread_spinlock_t* m) { return unlock(address_of(m)); }

// ---- condition variables

int eulash_pthread_cond_init(pthread_cond_t*, const pthread_condattr_t*) { return 0; }
int eulash_pthread_cond_destroy(pthread_cond_t* c) { return at_home_of<&destroy_condition>(address_of(c)); }
int eulash_cond_wait_at(pthread_cond_t* c, pthread_mutex_t* m, eulash_line where) {
  return wait_for(address_of(c), address_of(m), without_limit, where);
}
int eulash_cond_timedwait_at(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until, eulash_line where) {
  return wait_for(address_of(c), address_of(m), ns_until(until, CLOCK_REALTIME), where);
}
int eulash_pthread_cond_signal(pthread_cond_t* c) {
  wake(address_of(c), false);
  return 0;
}
int eulash_pthread_cond_broadcast(pthread_cond_t* c) {
  wake(address_of(c), true);
  return 0;
}

// ---- barriers

int eulash_pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t*, unsigned count) {
  return at_home_of<&init_barrier>(address_of(b), std::uint32_t{count});
}
int eulash_pthread_barrier_destroy(pthread_barrier_t* b) { return at_home_of<&destroy_barrier>(address_of(b)); }
int eulash_barrier_wait_at(pthread_barrier_t* b, eulash_line where) {
  if (looks_for_races()) races_of_job().arrive(running->number, address_of(b));
  const int result = at_home<&wait_barrier>(address_of(b), source_location_of(*where), running->number);
  if (looks_for_races()) races_of_job().leave(running->number, address_of(b));
  return result;
}

// ---- read-write locks

int eulash_pthread_rwlock_init(pthread_rwlock_t*, const pthread_rwlockattr_t*) { return 0; }
int eulash_pthread_rwlock_destroy(pthread_rwlock_t* l) { return at_home_of<&destroy_rwlock>(address_of(l)); }
int eulash_rwlock_rdlock_at(pthread_rwlock_t* l, eulash_line where) { return lock_for(address_of(l), false, where); }
int eulash_rwlock_wrlock_at(pthread_rwlock_t* l, eulash_line where) { return lock_for(address_of(l), true, where); }
int eulash_pthread_rwlock_tryrdlock(pthread_rwlock_t* l) { return try_lock_for(address_of(l), false); }
int eulash_pthread_rwlock_trywrlock(pthread_rwlock_t* l) { return try_lock_for(address_of(l), true); }
int eulash_pthread_rwlock_unlock(pthread_rwlock_t* l) {
  if (looks_for_races()) races_of_job().release_lock(running->number, address_of(l));
  return at_home_of<&unlock_rwlock>(address_of(l), running->number);
}

// ---- once

int eulash_once_at(pthread_once_t* control, void (*f)(void), eulash_line where) {
  if (!at_home<&begin_once>(address_of(control), source_location_of(*where))) return got(address_of(control), 0);
  f();
  lets_go(address_of(control));
  at_home_of<&finish_once>(address_of(control));
  return 0;
}

// ---- semaphores

int eulash_sem_init(sem_t* s, int, unsigned value) {
  return at_home_of<&init_semaphore>(address_of(s), std::uint32_t{value});
}
int eulash_sem_destroy(sem_t* s) { return at_home_of<&destroy_semaphore>(address_of(s)); }
int eulash_sem_wait_at(sem_t* s, eulash_line where) {
  return got(address_of(s), at_home<&wait_semaphore>(address_of(s), source_location_of(*where), running->number));
}
int eulash_sem_trywait(sem_t* s) {
  return by_errno(got(address_of(s), at_home_of<&try_wait_semaphore>(address_of(s))));
}
int eulash_sem_post(sem_t* s) {
  lets_go(address_of(s));
  return at_home_of<&post_semaphore>(address_of(s));
}
int eulash_sem_getvalue(sem_t* s, int* value) {
  const auto now = static_cast<int>(at_home_of<&value_of_semaphore>(address_of(s)));
  eulash_store(value, &now, sizeof now);
  return 0;
}

}  // extern "C"
