// Each thread adds to the sum; the mutex was forgotten in one of two places.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void add(long n) {
  pthread_mutex_lock(&lock);
  sum += n;  // races
  pthread_mutex_unlock(&lock);
}

static void* work(void* unused) {
  (void)unused;
  for (long i = 0; i < 20; i++) add(i);
  sum += 1;  // races
  return NULL;
}

int main(void) {
  pthread_t all[3];
  for (int i = 0; i < 3; i++) pthread_create(&all[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(all[i], NULL);
  printf("%ld\n", sum);
  return 0;
}
