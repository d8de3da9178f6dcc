// Jacobi's method on a plate, with a barrier between the steps and rows that are allocated one by one.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 34
#define THREADS 4
#define STEPS 30

static double **now, **next;
static pthread_barrier_t barrier;
static pthread_mutex_t change_lock = PTHREAD_MUTEX_INITIALIZER;
static double largest_change;

static double** new_plate(void) {
  double** rows = malloc(SIZE * sizeof(double*));
  for (int i = 0; i < SIZE; i++) {
    rows[i] = malloc(SIZE * sizeof(double));
    memset(rows[i], 0, SIZE * sizeof(double));
  }
  for (int j = 0; j < SIZE; j++) rows[0][j] = 100;
  return rows;
}

static void free_plate(double** rows) {
  for (int i = 0; i < SIZE; i++) free(rows[i]);
  free(rows);
}

static void* relax(void* argument) {
  const long thread = (long)argument;
  const int rows = (SIZE - 2) / THREADS, from = 1 + (int)thread * rows, to = from + rows;
  for (int step = 0; step < STEPS; step++) {
    double change = 0;
    for (int i = from; i < to; i++) {
      for (int j = 1; j < SIZE - 1; j++) {
        next[i][j] = (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) / 4;
        const double d = fabs(next[i][j] - now[i][j]);
        if (d > change) change = d;
      }
    }
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      double** swapped = now;
      now = next;
      next = swapped;
      largest_change = 0;
    }
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&change_lock);
    if (change > largest_change) largest_change = change;
    pthread_mutex_unlock(&change_lock);
  }
  return NULL;
}

int main(void) {
  now = new_plate();
  next = new_plate();
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, relax, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  pthread_barrier_destroy(&barrier);
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) sum += now[i][j];
  printf("heat %.9f, last change %.9f\n", sum, largest_change);
  free_plate(now);
  free_plate(next);
  return 0;
}
