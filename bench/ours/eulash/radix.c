// Radix sort of argv[2] keys, 8 bits a pass, argv[1] threads: counts by thread and digit, then each thread moves its
// part. It does so argv[3] times, each time with keys made of the last ones.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS 256
#define MOST 64

static int threads, length, times;
static uint32_t *keys, *sorted;
static int counts[MOST][DIGITS];
static pthread_barrier_t barrier;

static void sort(int me, int from, int to) {
  for (int shift = 0; shift < 32; shift += 8) {
    const uint32_t* source = shift % 16 ? sorted : keys;
    uint32_t* target = shift % 16 ? keys : sorted;
    int mine[DIGITS] = {0}, place[DIGITS];
    for (int i = from; i < to; i++) mine[source[i] >> shift & 255]++;
    for (int d = 0; d < DIGITS; d++) counts[me][d] = mine[d];
    pthread_barrier_wait(&barrier);
    int before = 0;
    for (int d = 0; d < DIGITS; d++) {
      for (int t = 0; t < threads; t++) {
        if (t == me) place[d] = before;
        before += counts[t][d];
      }
    }
    for (int i = from; i < to; i++) target[place[source[i] >> shift & 255]++] = source[i];
    pthread_barrier_wait(&barrier);
  }
}

static void* work(void* argument) {
  const int me = (int)(long)argument, from = (int)((long)me * length / threads),
            to = (int)((me + 1L) * length / threads);
  for (int time = 0; time < times; time++) {
    if (time != 0)
      for (int i = from; i < to; i++) keys[i] = keys[i] * 1664525u + 1013904223u;
    sort(me, from, to);
  }
  return NULL;
}

int main(int argc, char** argv) {
  threads = argc > 1 ? atoi(argv[1]) : 2;
  length = argc > 2 ? atoi(argv[2]) : 1000000;
  times = argc > 3 ? atoi(argv[3]) : 1;
  keys = malloc((size_t)length * sizeof *keys);
  sorted = malloc((size_t)length * sizeof *sorted);
  uint32_t seed = 1;
  for (int i = 0; i < length; i++) {
    seed = seed * 1664525u + 1013904223u;
    keys[i] = seed;
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  pthread_t all[MOST];
  for (long t = 0; t < threads; t++) pthread_create(&all[t], NULL, work, (void*)t);
  for (int t = 0; t < threads; t++) pthread_join(all[t], NULL);
  int right = 1;
  for (int i = 1; i < length; i++)
    if (keys[i - 1] > keys[i]) right = 0;
  printf("%s %u %u\n", right ? "sorted" : "not sorted", keys[0], keys[length - 1]);
  return 0;
}
