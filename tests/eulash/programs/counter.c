// A counter with a lock, and one with atomic operations.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { threads = 4, rounds = 200 };

static long counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_long atomically;
static _Atomic int highest;

static void* count(void* number) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&atomically, 2);
    atomically += 1;
  }
  const int mine = (int)(long)number;
  int seen = atomic_load(&highest);
  while (seen < mine && !atomic_compare_exchange_weak(&highest, &seen, mine)) continue;
  return NULL;
}

int main(void) {
  pthread_t all[threads];
  for (long i = 0; i < threads; i++) pthread_create(&all[i], NULL, count, (void*)i);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  printf("%ld %ld %d\n", counter, (long)atomically, (int)highest);
  return 0;
}
