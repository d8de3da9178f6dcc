// Radix sort: each thread counts its keys by digit, finds where its keys of each digit go, and moves them.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define KEYS 20000
#define BITS 6
#define RADIX (1 << BITS)
#define DIGIT(key, pass) (((key) >> ((pass) * BITS)) & (RADIX - 1))

typedef unsigned int key_type;

static struct {
  key_type *from, *to;
  int rank[THREADS][RADIX];
  pthread_barrier_t barrier;
} global;

static void* sort(void* argument) {
  const int me = *(int*)argument;
  const int begin = KEYS / THREADS * me, end = begin + KEYS / THREADS;
  key_type *from = global.from, *to = global.to;
  for (int pass = 0; pass < 32 / BITS + 1; pass++) {
    int next[RADIX];
    memset(global.rank[me], 0, sizeof global.rank[me]);
    for (int i = begin; i < end; i++) global.rank[me][DIGIT(from[i], pass)]++;
    pthread_barrier_wait(&global.barrier);
    int before = 0;
    for (int digit = 0; digit < RADIX; digit++) {
      for (int thread = 0; thread < THREADS; thread++) {
        if (thread == me) next[digit] = before;
        before += global.rank[thread][digit];
      }
    }
    for (int i = begin; i < end; i++) to[next[DIGIT(from[i], pass)]++] = from[i];
    pthread_barrier_wait(&global.barrier);
    key_type* const swapped = from;
    from = to;
    to = swapped;
  }
  return from;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  global.from = malloc(KEYS * sizeof(key_type));
  global.to = malloc(KEYS * sizeof(key_type));
  if (!global.from || !global.to) return 1;
  key_type key = 1;
  for (int i = 0; i < KEYS; i++) global.from[i] = key = key * 1664525u + 1013904223u;
  pthread_barrier_init(&global.barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, sort, &numbers[i]);
  }
  key_type* sorted = NULL;
  for (int i = 0; i < THREADS; i++) {
    void* result;
    pthread_join(threads[i], &result);
    sorted = result;
  }
  unsigned long sum = 0;
  for (int i = 0; i < KEYS; i++) {
    if (i > 0 && sorted[i - 1] > sorted[i]) printf("%d is not in order\n", i);
    sum = sum * 31 + sorted[i];
  }
  printf("%u .. %u, %lx\n", sorted[0], sorted[KEYS - 1], sum);
  free(global.from);
  free(global.to);
  return 0;
}
