// Threads of a placed program, and how they wait for each other: POSIX threads, semaphores and atomics.
//
// Valid C and C++. A function f of <pthread.h>, <semaphore.h>, <sched.h> or <unistd.h> becomes eulash_f with the same
// arguments; here each is a macro that adds the line where it stands, which deadlock reports show. Types and constants
// stay those of the system's headers. Attributes of mutexes are read, their kinds normal, error-checking and recursive
// are kept, and pthread_attr_* and pthread_*attr_* functions stay the system's: attributes are private.
//
// A thread is a fiber that never leaves its process. The k-th that is created runs in process k modulo the number of
// processes, main being number 0, unless eulash_next_process() says otherwise. A mutex, condition variable, barrier,
// lock, once control or semaphore is known by its address; its bytes are never looked at, so memory of zeros is a valid
// one, in its first state. Its home is that of its address.
//
// What a thread has written before it unlocks, arrives, signals, posts, creates or ends is what others read after the
// lock, barrier, wait or join that this lets go.
#ifndef TSUBU_EULASH_THREADS_H
#define TSUBU_EULASH_THREADS_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>

#include "tsubu/eulash/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct eulash_place* eulash_line;

// ---- threads. The program's main is renamed eulash_main; the library tsubu::eulash_main has the main that starts it.
int eulash_create_at(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*), void* argument, eulash_line);
int eulash_join_at(pthread_t thread, void** result, eulash_line);
int eulash_pthread_detach(pthread_t thread);
pthread_t eulash_pthread_self(void);
int eulash_pthread_equal(pthread_t a, pthread_t b);
void eulash_pthread_exit(void* result) __attribute__((noreturn));
int eulash_sched_yield(void);
#define eulash_pthread_create(thread, attr, start, argument) \
  eulash_create_at((thread), (attr), (start), (argument), EULASH_HERE)
#define eulash_pthread_join(thread, result) eulash_join_at((thread), (result), EULASH_HERE)

// The process of the next thread that this thread creates; modulo the number of processes.
void eulash_next_process(int process);
// Where the thread runs, and how many processes there are.
int eulash_process(void);
int eulash_process_count(void);

// ---- mutexes
int eulash_pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attr);
int eulash_pthread_mutex_destroy(pthread_mutex_t* m);
int eulash_mutex_lock_at(pthread_mutex_t* m, eulash_line);
int eulash_mutex_timedlock_at(pthread_mutex_t* m, const struct timespec* until, eulash_line);
int eulash_pthread_mutex_trylock(pthread_mutex_t* m);
int eulash_pthread_mutex_unlock(pthread_mutex_t* m);
#define eulash_pthread_mutex_lock(m) eulash_mutex_lock_at((m), EULASH_HERE)
#define eulash_pthread_mutex_timedlock(m, until) eulash_mutex_timedlock_at((m), (until), EULASH_HERE)
// Spin locks are mutexes.
int eulash_pthread_spin_init(pthread_spinlock_t* m, int shared);
int eulash_pthread_spin_destroy(pthread_spinlock_t* m);
int eulash_spin_lock_at(pthread_spinlock_t* m, eulash_line);
int eulash_pthread_spin_trylock(pthread_spinlock_t* m);
int eulash_pthread_spin_unlock(pthread_spinlock_t* m);
#define eulash_pthread_spin_lock(m) eulash_spin_lock_at((m), EULASH_HERE)

// ---- condition variables
int eulash_pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attr);
int eulash_pthread_cond_destroy(pthread_cond_t* c);
int eulash_cond_wait_at(pthread_cond_t* c, pthread_mutex_t* m, eulash_line);
int eulash_cond_timedwait_at(pthread_cond_t* c, pthread_mutex_t* m, const struct timespec* until, eulash_line);
int eulash_pthread_cond_signal(pthread_cond_t* c);
int eulash_pthread_cond_broadcast(pthread_cond_t* c);
#define eulash_pthread_cond_wait(c, m) eulash_cond_wait_at((c), (m), EULASH_HERE)
#define eulash_pthread_cond_timedwait(c, m, until) eulash_cond_timedwait_at((c), (m), (until), EULASH_HERE)

// ---- barriers
int eulash_pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attr, unsigned count);
int eulash_pthread_barrier_destroy(pthread_barrier_t* b);
int eulash_barrier_wait_at(pthread_barrier_t* b, eulash_line);
#define eulash_pthread_barrier_wait(b) eulash_barrier_wait_at((b), EULASH_HERE)

// ---- read-write locks: who reads gets in while nobody writes, as with the system's
int eulash_pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attr);
int eulash_pthread_rwlock_destroy(pthread_rwlock_t* l);
int eulash_rwlock_rdlock_at(pthread_rwlock_t* l, eulash_line);
int eulash_rwlock_wrlock_at(pthread_rwlock_t* l, eulash_line);
int eulash_pthread_rwlock_tryrdlock(pthread_rwlock_t* l);
int eulash_pthread_rwlock_trywrlock(pthread_rwlock_t* l);
int eulash_pthread_rwlock_unlock(pthread_rwlock_t* l);
#define eulash_pthread_rwlock_rdlock(l) eulash_rwlock_rdlock_at((l), EULASH_HERE)
#define eulash_pthread_rwlock_wrlock(l) eulash_rwlock_wrlock_at((l), EULASH_HERE)

// ---- once in the whole program, and values of a thread's own
int eulash_once_at(pthread_once_t* control, void (*f)(void), eulash_line);
#define eulash_pthread_once(control, f) eulash_once_at((control), (f), EULASH_HERE)
int eulash_pthread_key_create(pthread_key_t* key, void (*destructor)(void*));
int eulash_pthread_key_delete(pthread_key_t key);
void* eulash_pthread_getspecific(pthread_key_t key);
int eulash_pthread_setspecific(pthread_key_t key, const void* value);

// ---- semaphores without names
int eulash_sem_init(sem_t* s, int shared, unsigned value);
int eulash_sem_destroy(sem_t* s);
int eulash_sem_wait_at(sem_t* s, eulash_line);
int eulash_sem_trywait(sem_t* s);
int eulash_sem_post(sem_t* s);
int eulash_sem_getvalue(sem_t* s, int* value);
#define eulash_sem_wait(s) eulash_sem_wait_at((s), EULASH_HERE)

// ---- atomics: of 1, 2, 4 or 8 bytes, sequentially consistent whatever order is asked for. After some of them the
// thread lets others run, so that loops which wait for a value end.
enum eulash_atomic_operation {
  eulash_atomic_load,      // gives the value
  eulash_atomic_exchange,  // these give the value before
  eulash_atomic_add,
  eulash_atomic_sub,
  eulash_atomic_and,
  eulash_atomic_or,
  eulash_atomic_xor,
  eulash_atomic_nand,
};
uint64_t eulash_atomic(volatile void* p, size_t n, enum eulash_atomic_operation what, uint64_t operand);
// Whether it was *expected, which is where the value is put if not; `expected` is private or shared.
int eulash_compare_exchange(volatile void* p, size_t n, void* expected, uint64_t desired);

// For an lvalue of at most 8 bytes: its value; set it; set it and give what it was; and what
// atomic_compare_exchange_strong(p, e, v) does. FETCH is for integers and pointers: what it was before `what` was done.
// (What does not fit does not compile.)
#define EULASH_ATOMIC_LOAD(lvalue) \
  EULASH_OF_BITS_(EULASH_PLAIN_(lvalue), eulash_atomic(&(lvalue), EULASH_ATOMIC_BYTES_(lvalue), eulash_atomic_load, 0))
#define EULASH_ATOMIC_STORE(lvalue, v) ((void)EULASH_ATOMIC_EXCHANGE(lvalue, v))
#define EULASH_ATOMIC_EXCHANGE(lvalue, v)                                                        \
  EULASH_OF_BITS_(EULASH_PLAIN_(lvalue),                                                         \
                  eulash_atomic(&(lvalue), EULASH_ATOMIC_BYTES_(lvalue), eulash_atomic_exchange, \
                                EULASH_BITS_(EULASH_PLAIN_(lvalue), v)))
#define EULASH_ATOMIC_FETCH(what, lvalue, v)                                                            \
  ((EULASH_PLAIN_(lvalue))eulash_atomic(&(lvalue), EULASH_INTEGER_BYTES_(lvalue), eulash_atomic_##what, \
                                        (uint64_t)(EULASH_PLAIN_(lvalue))(v)))
#define EULASH_ATOMIC_COMPARE_EXCHANGE(lvalue, expected, v)                           \
  eulash_compare_exchange(&(lvalue), EULASH_ATOMIC_BYTES_(lvalue), (void*)(expected), \
                          EULASH_BITS_(EULASH_PLAIN_(lvalue), v))
// The type of the value without qualifiers, _Atomic among them; its size; and that of an integer or a pointer.
#define EULASH_PLAIN_(lvalue) __typeof__(((void)0, (lvalue)))
#define EULASH_ATOMIC_BYTES_(lvalue) \
  (sizeof(lvalue) + 0 * sizeof(struct { int fits_into_8_bytes : sizeof(lvalue) > 8 ? -1 : 1; }))
#define EULASH_INTEGER_BYTES_(lvalue)                                                                              \
  (sizeof(lvalue) + 0 * sizeof(struct {                                                                            \
                      int is_integer_or_pointer : __builtin_types_compatible_p(EULASH_PLAIN_(lvalue), float) ||    \
                                                  __builtin_types_compatible_p(EULASH_PLAIN_(lvalue), double) ||   \
                                                  __builtin_types_compatible_p(EULASH_PLAIN_(lvalue), long double) \
                          ? -1                                                                                     \
                          : 1;                                                                                     \
                    }))
// The bytes of a value as a number, and back.
#define EULASH_BITS_(type, v)                                                                                  \
  (__extension__({                                                                                             \
    type const eulash_b_ = (v);                                                                                \
    uint64_t eulash_u_ = 0;                                                                                    \
    memcpy(&eulash_u_, &eulash_b_, sizeof eulash_b_ < sizeof eulash_u_ ? sizeof eulash_b_ : sizeof eulash_u_); \
    eulash_u_;                                                                                                 \
  }))
#define EULASH_OF_BITS_(type, bits)                                                                            \
  (__extension__({                                                                                             \
    uint64_t const eulash_u_ = (bits);                                                                         \
    type eulash_b_;                                                                                            \
    memcpy(&eulash_b_, &eulash_u_, sizeof eulash_b_ < sizeof eulash_u_ ? sizeof eulash_b_ : sizeof eulash_u_); \
    eulash_b_;                                                                                                 \
  }))

// ---- sleeping lets the others run
unsigned eulash_sleep(unsigned seconds);
int eulash_usleep(unsigned microseconds);
int eulash_nanosleep(const struct timespec* time, struct timespec* left);

#ifdef __cplusplus
}
#endif
#endif
