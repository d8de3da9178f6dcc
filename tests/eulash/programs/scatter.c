// Loops that walk through one array and choose by what they find where to read and write in others, which lie in blocks
// that other threads write too; and ones that read again, further on, what they have written so.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS 16
#define THREADS 3

static int length;
static uint32_t *keys, *sorted;
static int *places, *chain, *next;
static int counts[THREADS][DIGITS];
static long hits[THREADS];
static pthread_barrier_t barrier;

static void sort(int me, int from, int to) {
  for (int shift = 0; shift < 16; shift += 4) {
    const uint32_t* source = shift % 8 ? sorted : keys;
    uint32_t* target = shift % 8 ? keys : sorted;
    int mine[DIGITS] = {0}, place[DIGITS];
    for (int i = from; i < to; i++) mine[source[i] >> shift & (DIGITS - 1)]++;
    for (int d = 0; d < DIGITS; d++) counts[me][d] = mine[d];
    pthread_barrier_wait(&barrier);
    int before = 0;
    for (int d = 0; d < DIGITS; d++)
      for (int t = 0; t < THREADS; t++) {
        if (t == me) place[d] = before;
        before += counts[t][d];
      }
    for (int i = from; i < to; i++) target[place[source[i] >> shift & (DIGITS - 1)]++] = source[i];
    pthread_barrier_wait(&barrier);
  }
}

static void* work(void* argument) {
  const int me = (int)(long)argument, from = (int)((long)me * length / THREADS),
            to = (int)((me + 1L) * length / THREADS);
  sort(me, from, to);
  // Every third element is this thread's: all blocks are everybody's.
  for (int i = from; i < to; i++) places[i] = (int)(keys[i] * 7919u % (unsigned)(length / THREADS)) * THREADS + me;
  for (int i = from; i < to; i++) next[places[i]] += places[i] & 7;
  pthread_barrier_wait(&barrier);
  // What is stored is read later in the same loop.
  for (int k = 0; k < length; k++) {
    if (k % THREADS == me && k + THREADS * (1 + (chain[k] & 3)) < length)
      chain[k + THREADS * (1 + (chain[k] & 3))] += chain[k] + next[k];
  }
  pthread_barrier_wait(&barrier);
  for (int k = 0; k < length; k++)
    if (next[k] == 3 && chain[k] < 0) return NULL;
  unsigned long found = 0;
  size_t i;
  for (i = (size_t)from; i < (size_t)to; ++i) {
    if (places[i] % 5 == 0) continue;
    found += keys[places[i]] & 1;
  }
  hits[me] = (long)(found + i);
  return NULL;
}

int main(int argc, char** argv) {
  length = argc > 1 ? atoi(argv[1]) : 60000;
  keys = malloc((size_t)length * sizeof *keys);
  sorted = malloc((size_t)length * sizeof *sorted);
  places = malloc((size_t)length * sizeof *places);
  chain = malloc((size_t)length * sizeof *chain);
  next = calloc((size_t)length, sizeof *next);
  uint32_t seed = 1;
  for (int i = 0; i < length; i++) {
    seed = seed * 1664525u + 1013904223u;
    keys[i] = seed >> 16;
    chain[i] = (int)(seed >> 28);
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t all[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&all[t], NULL, work, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(all[t], NULL);
  int right = 1;
  unsigned hash = 0;
  for (int i = 1; i < length; i++)
    if (keys[i - 1] > keys[i]) right = 0;
  for (int i = 0; i < length; i++) hash = hash * 31 + (unsigned)(chain[i] & 0xffff) + (unsigned)next[i];
  printf("%s %u %ld %ld %ld\n", right ? "sorted" : "not sorted", hash, hits[0], hits[1], hits[2]);
  return 0;
}
