// Particles in a wind tunnel, as MP3D of SPLASH has them: argv[2] particles, argv[3] steps, argv[1] threads. Each moves
// its particles, counts them by cell, and after a barrier turns round those that have met too many in theirs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 16
#define CELLS (WIDE * WIDE * WIDE)
#define MOST 64

struct particle {
  float at[3], speed[3];
};

static int particles, steps, threads;
static struct particle* all[MOST];  // a thread's
static int* counts[MOST];           // of a thread's particles in each cell
static pthread_barrier_t barrier;

static int cell_of(const struct particle* p) {
  return ((int)p->at[0] * WIDE + (int)p->at[1]) * WIDE + (int)p->at[2];
}

static void move(struct particle* p) {
  for (int d = 0; d < 3; d++) {
    p->at[d] += p->speed[d];
    if (p->at[d] < 0) {
      p->at[d] = -p->at[d];
      p->speed[d] = -p->speed[d];
    } else if (p->at[d] >= WIDE) {
      if (d == 0) {
        p->at[d] -= WIDE;  // what leaves the tunnel comes in again
      } else {
        p->at[d] = 2 * WIDE - 0.001f - p->at[d];
        p->speed[d] = -p->speed[d];
      }
    }
  }
}

static void* fly(void* argument) {
  const int me = (int)(long)argument, mine = particles / threads;
  struct particle* own = all[me];
  for (int step = 0; step < steps; step++) {
    int here[CELLS] = {0};
    for (int i = 0; i < mine; i++) {
      move(&own[i]);
      here[cell_of(&own[i])]++;
    }
    for (int c = 0; c < CELLS; c++) counts[me][c] = here[c];
    pthread_barrier_wait(&barrier);
    for (int t = 0; t < threads; t++) {
      if (t == me) continue;
      const int* others = counts[t];
      for (int c = 0; c < CELLS; c++) here[c] += others[c];
    }
    for (int i = 0; i < mine; i++)
      if (here[cell_of(&own[i])] > 2 * particles / CELLS) own[i].speed[i % 3] = -own[i].speed[i % 3];
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char** argv) {
  threads = argc > 1 ? atoi(argv[1]) : 2;
  particles = argc > 2 ? atoi(argv[2]) : 20000;
  steps = argc > 3 ? atoi(argv[3]) : 50;
  unsigned seed = 1;
  for (int t = 0; t < threads; t++) {
    counts[t] = calloc(CELLS, sizeof *counts[t]);
    all[t] = malloc((size_t)(particles / threads) * sizeof *all[t]);
    for (int i = 0; i < particles / threads; i++)
      for (int d = 0; d < 3; d++) {
        seed = seed * 1664525u + 1013904223u;
        all[t][i].at[d] = (float)(seed >> 16) * WIDE / 65536;
        all[t][i].speed[d] = (float)(seed >> 8 & 255) / 256 - 0.5f;
      }
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  pthread_t others[MOST];
  for (long t = 0; t < threads; t++) pthread_create(&others[t], NULL, fly, (void*)t);
  for (int t = 0; t < threads; t++) pthread_join(others[t], NULL);
  double sum = 0;
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < particles / threads; i++) sum += all[t][i].at[0] + all[t][i].at[1] + all[t][i].at[2];
  printf("places %.6f\n", sum);
  return 0;
}
