// Jacobi's method on a plate of argv[2] x argv[2] points, argv[3] steps, argv[1] threads: what is measured is the whole
// program.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int size, steps, threads;
static double **now, **next;
static pthread_barrier_t barrier;

static double** new_plate(void) {
  double** rows = malloc((size_t)size * sizeof(double*));
  for (int i = 0; i < size; i++) {
    rows[i] = calloc((size_t)size, sizeof(double));
    rows[i][0] = rows[i][size - 1] = 100;
  }
  return rows;
}

static void* relax(void* argument) {
  const int me = (int)(long)argument, from = 1 + me * (size - 2) / threads, to = 1 + (me + 1) * (size - 2) / threads;
  for (int step = 0; step < steps; step++) {
    for (int i = from; i < to; i++)
      for (int j = 1; j < size - 1; j++)
        next[i][j] = (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) / 4;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      double** swapped = now;
      now = next;
      next = swapped;
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char** argv) {
  threads = argc > 1 ? atoi(argv[1]) : 2;
  size = argc > 2 ? atoi(argv[2]) : 1026;
  steps = argc > 3 ? atoi(argv[3]) : 100;
  now = new_plate();
  next = new_plate();
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  pthread_t* all = malloc((size_t)threads * sizeof *all);
  for (long t = 0; t < threads; t++) pthread_create(&all[t], NULL, relax, (void*)t);
  for (int t = 0; t < threads; t++) pthread_join(all[t], NULL);
  double sum = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) sum += now[i][j];
  printf("heat %.9f\n", sum);
  return 0;
}
