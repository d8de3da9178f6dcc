// Decomposes a matrix of argv[2] x argv[2] into a lower and an upper triangle, a row of it after the other: argv[1]
// threads own rows in turn.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int size, threads;
static double** a;
static pthread_barrier_t barrier;

static void* decompose(void* argument) {
  const int me = (int)(long)argument;
  for (int k = 0; k < size - 1; k++) {
    pthread_barrier_wait(&barrier);
    const double* pivot = a[k];
    for (int i = k + 1; i < size; i++) {
      if (i % threads != me) continue;
      double* row = a[i];
      const double factor = row[k] / pivot[k];
      row[k] = factor;
      for (int j = k + 1; j < size; j++) row[j] -= factor * pivot[j];
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  threads = argc > 1 ? atoi(argv[1]) : 2;
  size = argc > 2 ? atoi(argv[2]) : 500;
  a = malloc((size_t)size * sizeof *a);
  for (int i = 0; i < size; i++) {
    a[i] = malloc((size_t)size * sizeof **a);
    for (int j = 0; j < size; j++) a[i][j] = i == j ? 7.0 * size : (i * 5 + j * 3) % 7;
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  pthread_t* all = malloc((size_t)threads * sizeof *all);
  for (long t = 0; t < threads; t++) pthread_create(&all[t], NULL, decompose, (void*)t);
  for (int t = 0; t < threads; t++) pthread_join(all[t], NULL);
  double sum = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) sum += a[i][j];
  printf("last pivot %.9f, sum %.9f\n", a[size - 1][size - 1], sum);
  return 0;
}
