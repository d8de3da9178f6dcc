// A row is read from its neighbours' and written in one phase: there should be a barrier in between.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, EACH = 16 };
static pthread_barrier_t phase;
static double* row;

static void* relax(void* argument) {
  const int me = (int)(long)argument;
  double next[EACH];
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < EACH; i++) {
      const int at = me * EACH + i;
      next[i] = (row[at] + row[(at + 1) % (THREADS * EACH)]) / 2;  // races
    }
    for (int i = 0; i < EACH; i++) row[me * EACH + i] = next[i];  // races
    pthread_barrier_wait(&phase);
  }
  return NULL;
}

int main(void) {
  pthread_t all[THREADS];
  row = calloc(THREADS * EACH, sizeof *row);
  pthread_barrier_init(&phase, NULL, THREADS);
  for (long i = 0; i < THREADS; i++) pthread_create(&all[i], NULL, relax, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(all[i], NULL);
  printf("%g\n", row[0]);
  return 0;
}
