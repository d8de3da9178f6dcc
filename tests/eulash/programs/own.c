// Variables of which each thread has its own: with first values, in functions, in several files' worth of uses, handed
// to another thread by their addresses.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

#define PER_THREAD static __thread

static int table[3] = {5, 6, 7};
static __thread int count = 10;
static _Thread_local double sums[4] = {0.5, 1.5};
static thread_local struct {
  char name[16];
  int* at;
} self = {"nobody", &table[1]};
PER_THREAD int* mine;
extern __thread long later;
static int* counts[4];
static pthread_barrier_t met;
static double values[64];
static long results[4];

static int next(void) {
  static __thread int calls = 100, step = 1;
  calls += step++;
  return calls;
}

static void* work(void* p) {
  const int k = (int)(long)p;
  for (int i = 0; i <= k; i++) {
    count++;
    next();
    sums[i] += values[i] * k;
  }
  for (int i = 0; i < 64; i++) sums[3] += values[i];
  pthread_barrier_wait(&met);
  for (int i = 0; i < 8; i++) values[k * 16 + i] = sums[3] + count;
  snprintf(self.name, sizeof self.name, "t%d", k);
  mine = malloc(sizeof *mine);
  *mine = *self.at + k;
  later += k;
  counts[k] = &count;
  pthread_barrier_wait(&met);
  *counts[(k + 1) % 4] += 1000 * (k + 1);
  pthread_barrier_wait(&met);
  results[k] = count + next() + later + *mine + (self.name[1] - '0') + sizeof sums;
  pthread_barrier_wait(&met);
  free(mine);
  return NULL;
}

__thread long later = 7;

int main(void) {
  for (int i = 0; i < 64; i++) values[i] = i % 5;
  table[1] = 60;
  count = -1;
  pthread_t threads[4];
  pthread_barrier_init(&met, NULL, 4);
  for (long k = 0; k < 4; k++) pthread_create(&threads[k], NULL, work, (void*)k);
  for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
  double sum = 0;
  for (int i = 0; i < 64; i++) sum += values[i];
  for (int k = 0; k < 4; k++) printf("%ld\n", results[k]);
  printf("%g %d %d %s %ld %g\n", sum, count, next(), self.name, later, sums[1]);
  return 0;
}
