// Promise: where processes are threads that use one memory, ThreadSanitizer finds a data race of the program's own, and
// names its line. Built for it only.
#include "tsubu/eulash/program.h"

static long count, guarded;
static __typeof__(count)* eulash_g_count;
EULASH_GLOBAL(count, "count", EULASH_INVALIDATE, 0, 0, NULL);
static __typeof__(guarded)* eulash_g_guarded;
EULASH_GLOBAL(guarded, "guarded", EULASH_INVALIDATE, 0, 0, NULL);
static pthread_barrier_t both;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* counts(void* argument) {
  pthread_barrier_wait(&both);
  EULASH_UPDATE(*eulash_g_count, +, 1);  // the race
  pthread_mutex_lock(&lock);
  EULASH_UPDATE(*eulash_g_guarded, +, 1);
  pthread_mutex_unlock(&lock);
  return argument;
}

int eulash_main(void) {
  pthread_t all[2];
  pthread_barrier_init(&both, NULL, 2);
  for (int t = 0; t < 2; ++t) pthread_create(&all[t], NULL, counts, NULL);
  for (int t = 0; t < 2; ++t) pthread_join(all[t], NULL);
  eulash_printf("%ld\n", EULASH_LOAD(*eulash_g_guarded));
  return 0;
}
