// Loops over shared memory of all kinds: rows, columns, members, places that stay, empty ones, ones that are left
// early, counters that outlive them, and pointers that must not be followed unless a condition holds.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40
#define THREADS 3

struct body {
  double x, v;
  int mass;
  char name[6];
};
struct world {
  struct body* bodies;
  double* maybe;
  int count, steps;
  double total[THREADS];
};

static struct world world;
static double table[N][N];
static int counts[N + 2];
static unsigned char bytes[200];
static float column[N];
static pthread_barrier_t barrier;

static void move(struct world* w, int from, int to) {
  for (int i = from; i < to; i++) w->bodies[i].x += w->bodies[i].v * 0.5;
  for (int i = from; i < to; i++) {
    if (w->bodies[i].x > 10) w->bodies[i].v = -w->bodies[i].v;
    w->bodies[i].name[1] = (char)('a' + i % 26);
  }
}

static double sum_of(const double* values, size_t n) {
  double sum = 0;
  size_t i;
  for (i = 0; i < n; ++i) sum += values[i];
  return i == n ? sum : -1;
}

static int first_above(double limit, int row) {
  int j;
  for (j = 0; j < N; j++) {
    if (table[row][j] > limit) break;
  }
  return j;
}

static void* work(void* argument) {
  const int me = (int)(long)argument, from = me * N / THREADS, to = (me + 1) * N / THREADS;
  struct world* w = &world;
  for (int i = from; i < to; i++)
    for (int j = 0; j < N; j++) table[i][j] = i * 0.25 + j;
  pthread_barrier_wait(&barrier);
  for (int step = 0; step < w->steps; step++) move(w, from, to);
  for (int k = 0; k < N; k++) w->total[me] += table[k][me];
  for (int j = 1; j <= 4; j++) counts[from + j] += counts[from + j - 1] + first_above(j, from);
  if (w->maybe == NULL) {
    for (int i = from; i < to; i++)
      if (w->maybe) w->maybe[i] = 1;
  }
  for (int i = to; i < from; i++) w->maybe[i] = 2;
  for (int i = from; i < to; i++) {
    bytes[i] = (unsigned char)(i * 7);
    bytes[i + 100] = bytes[i] ^ 0x55;
  }
  pthread_barrier_wait(&barrier);
  if (me == 0)
    for (int i = 0; i < N; i++) column[i] = (float)(table[i][3] + bytes[i]);
  pthread_barrier_wait(&barrier);
  double sum = sum_of(w->total, THREADS) + sum_of(table[me], N) + sum_of(NULL, 0);
  for (int i = 0; i < N; i++) sum += column[i] * w->bodies[i].mass;
  double* result = malloc(sizeof *result);
  *result = sum;
  return result;
}

int main(void) {
  world.count = N;
  world.steps = 5;
  world.bodies = calloc(N, sizeof *world.bodies);
  for (int i = 0; i < world.count; i++) {
    world.bodies[i].v = i;
    world.bodies[i].mass = i % 5;
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work, (void*)t);
  for (int t = 0; t < THREADS; t++) {
    void* result;
    pthread_join(threads[t], &result);
    printf("%.4f\n", *(double*)result);
    free(result);
  }
  double x = 0;
  int letters = 0, all = 0, b = 0;
  for (int i = 0; i < N; i++) x += world.bodies[i].x, letters += world.bodies[i].name[1];
  for (int i = 0; i < N + 2; i++) all += counts[i];
  for (int i = 0; i < 200; i++) b += bytes[i];
  printf("%.4f %d %d %d\n", x, letters, all, b);
  free(world.bodies);
  return 0;
}
