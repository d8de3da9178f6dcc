// Decomposes a matrix into a lower and an upper triangle, block by block: a thread owns blocks, as tiles of a floor.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 48
#define BLOCK 8
#define BLOCKS (SIZE / BLOCK)
#define THREADS 4

static double* blocks[BLOCKS][BLOCKS];
static pthread_barrier_t barrier;

static int owner(int i, int j) { return (i % 2) * 2 + j % 2; }

static void factor(double* a) {
  for (int k = 0; k < BLOCK; k++)
    for (int i = k + 1; i < BLOCK; i++) {
      a[i * BLOCK + k] /= a[k * BLOCK + k];
      for (int j = k + 1; j < BLOCK; j++) a[i * BLOCK + j] -= a[i * BLOCK + k] * a[k * BLOCK + j];
    }
}

static void divide_column(double* a, const double* diagonal) {
  for (int k = 0; k < BLOCK; k++)
    for (int i = 0; i < BLOCK; i++) {
      a[i * BLOCK + k] /= diagonal[k * BLOCK + k];
      for (int j = k + 1; j < BLOCK; j++) a[i * BLOCK + j] -= a[i * BLOCK + k] * diagonal[k * BLOCK + j];
    }
}

static void modify_row(double* a, const double* diagonal) {
  for (int k = 0; k < BLOCK; k++)
    for (int i = k + 1; i < BLOCK; i++)
      for (int j = 0; j < BLOCK; j++) a[i * BLOCK + j] -= diagonal[i * BLOCK + k] * a[k * BLOCK + j];
}

static void modify_inner(double* a, const double* left, const double* above) {
  for (int i = 0; i < BLOCK; i++)
    for (int k = 0; k < BLOCK; k++)
      for (int j = 0; j < BLOCK; j++) a[i * BLOCK + j] -= left[i * BLOCK + k] * above[k * BLOCK + j];
}

static void* decompose(void* argument) {
  const int me = (int)(long)argument;
  for (int k = 0; k < BLOCKS; k++) {
    if (owner(k, k) == me) factor(blocks[k][k]);
    pthread_barrier_wait(&barrier);
    for (int i = k + 1; i < BLOCKS; i++) {
      if (owner(i, k) == me) divide_column(blocks[i][k], blocks[k][k]);
      if (owner(k, i) == me) modify_row(blocks[k][i], blocks[k][k]);
    }
    pthread_barrier_wait(&barrier);
    for (int i = k + 1; i < BLOCKS; i++)
      for (int j = k + 1; j < BLOCKS; j++)
        if (owner(i, j) == me) modify_inner(blocks[i][j], blocks[i][k], blocks[k][j]);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

static double element(int i, int j) { return blocks[i / BLOCK][j / BLOCK][(i % BLOCK) * BLOCK + j % BLOCK]; }

static double first(int i, int j) { return i == j ? SIZE : (i * 5 + j * 3) % 7; }

int main(void) {
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < BLOCKS; j++) blocks[i][j] = malloc(BLOCK * BLOCK * sizeof(double));
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) blocks[i / BLOCK][j / BLOCK][(i % BLOCK) * BLOCK + j % BLOCK] = first(i, j);
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, decompose, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  double worst = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      double sum = 0;
      for (int k = 0; k <= i && k <= j; k++) sum += (k == i ? 1 : element(i, k)) * element(k, j);
      if (fabs(sum - first(i, j)) > worst) worst = fabs(sum - first(i, j));
    }
  printf("last pivot %.9f, %s\n", element(SIZE - 1, SIZE - 1), worst < 1e-9 ? "right" : "wrong");
  return 0;
}
