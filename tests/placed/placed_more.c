// Promise: the names of atomic operations, what is tried and not waited for, what waits for a time, and loops that wait
// for a flag work in a placed program as in a threads program.
#include <errno.h>

#include "tsubu/eulash/program.h"

enum { threads = 5, rounds = 200 };

static struct {
  _Atomic long sum;
  long plain;
  unsigned char bits;
  _Atomic(short) small;
  atomic_flag taken;
  volatile int go;
  int* _Atomic pointer;
} shared;
static __typeof__(shared)* eulash_g_shared;
EULASH_GLOBAL(shared, "shared", EULASH_INVALIDATE, 0, 0, NULL);
#define S (*eulash_g_shared)
static pthread_spinlock_t spin;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t read_by_all = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int wrong;
static __typeof__(wrong)* eulash_g_wrong;
EULASH_GLOBAL(wrong, "wrong", EULASH_GLOBAL_PROTOCOL, 0, 0, NULL);

// A flag that is only volatile is a data race, and ThreadSanitizer says so.
#ifdef EULASH_LOW_ADDRESSES
#define HAS_BEGUN() EULASH_ATOMIC_LOAD(S.go)
#define BEGIN() EULASH_ATOMIC_STORE(S.go, 1)
#else
#define HAS_BEGUN() EULASH_LOAD(S.go)
#define BEGIN() EULASH_STORE(S.go, 1)
#endif

static void expect(int holds, const char* what) {
  if (holds) return;
  EULASH_ATOMIC_FETCH(add, *eulash_g_wrong, 1);
  eulash_fprintf(stderr, "wrong: %s\n", what);
}

static void* count(void* argument) {
  const long me = (long)argument;
  while (!HAS_BEGUN()) eulash_poll();
  for (int i = 0; i < rounds; ++i) {
    atomic_fetch_add(&S.sum, me);
    atomic_fetch_sub_explicit(&S.small, 1, memory_order_relaxed);
    __sync_fetch_and_add(&S.plain, 1);
    expect(__atomic_add_fetch(&S.plain, 1, __ATOMIC_SEQ_CST) > 1, "add_fetch");
    while (atomic_flag_test_and_set(&S.taken)) continue;
    EULASH_UPDATE(S.bits, ^, 1);
    atomic_flag_clear(&S.taken);
    pthread_spin_lock(&spin);
    long seen = atomic_load(&S.sum);
    pthread_spin_unlock(&spin);
    while (!atomic_compare_exchange_weak(&S.sum, &seen, seen + 1)) continue;
  }
  expect(pthread_equal(pthread_self(), pthread_self()), "pthread_self");
  sem_post(&sem);
  return NULL;
}

static void* tries(void* argument) {
  struct timespec soon;
  expect(pthread_mutex_trylock(&held) == EBUSY, "trylock of what is held");
  eulash_clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 20 * 1000 * 1000;
  if (soon.tv_nsec >= 1000 * 1000 * 1000) soon = (struct timespec){soon.tv_sec + 1, soon.tv_nsec - 1000 * 1000 * 1000};
  expect(pthread_mutex_timedlock(&held, &soon) == ETIMEDOUT, "timedlock");
  static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mine);
  expect(pthread_cond_timedwait(&never, &mine, &soon) == ETIMEDOUT, "timedwait");
  pthread_mutex_unlock(&mine);
  expect(pthread_rwlock_tryrdlock(&read_by_all) == 0 && pthread_rwlock_trywrlock(&read_by_all) == EBUSY, "tryrdlock");
  pthread_rwlock_unlock(&read_by_all);
  const struct timespec short_time = {0, 1000 * 1000};
  expect(nanosleep(&short_time, NULL) == 0 && usleep(10) == 0, "sleep");
  return argument;
}

int eulash_main(void) {
  pthread_t thread;
  pthread_spin_init(&spin, 0);
  sem_init(&sem, 0, 0);
  int value = 9;
  for (long t = 0; t < threads; ++t) {
    pthread_create(&thread, NULL, count, (void*)t);
    pthread_detach(thread);
  }
  expect(sem_trywait(&sem) == -1 && errno == EAGAIN, "sem_trywait");
  BEGIN();
  for (int t = 0; t < threads; ++t) sem_wait(&sem);
  expect(sem_getvalue(&sem, &value) == 0 && value == 0, "sem_getvalue");
  expect(atomic_load(&S.sum) == rounds * threads * (threads - 1) / 2 + rounds * threads, "sum");
  expect(EULASH_LOAD(S.plain) == 2 * rounds * threads, "plain");
  expect(EULASH_ATOMIC_LOAD(S.small) == (short)(-rounds * threads), "small");
  expect(EULASH_LOAD(S.bits) == rounds * threads % 2, "bits");
  atomic_store(&S.pointer, &value);
  int* was = &value;
  expect(atomic_compare_exchange_strong(&S.pointer, &was, NULL) && atomic_exchange(&S.pointer, &value) == NULL,
         "pointer");
  expect(__sync_val_compare_and_swap(&S.plain, 2L * rounds * threads, 7L) == 2 * rounds * threads, "val swap");
  expect(__sync_bool_compare_and_swap(&S.plain, 8L, 9L) == 0 && EULASH_LOAD(S.plain) == 7, "bool swap");
  pthread_mutex_lock(&held);
  pthread_rwlock_rdlock(&read_by_all);
  pthread_create(&thread, NULL, tries, NULL);
  pthread_join(thread, NULL);
  expect(pthread_join(thread, NULL) == ESRCH, "join twice");
  eulash_puts(EULASH_LOAD(*eulash_g_wrong) == 0 ? "right" : "wrong");
  return EULASH_LOAD(*eulash_g_wrong);
}
