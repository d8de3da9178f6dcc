// Conjugate gradients for a sparse matrix in rows: sums are made by each thread and added up in order.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
typedef struct {
  int n, *begin, *column;
  double* value;
} matrix;

static matrix a;
static double *x, *r, *p, *q, partial[THREADS][8];
static pthread_barrier_t barrier;

static double sum_over_threads(int me, double mine) {
  partial[me][0] = mine;
  pthread_barrier_wait(&barrier);
  double sum = 0;
  for (int i = 0; i < THREADS; i++) sum += partial[i][0];
  pthread_barrier_wait(&barrier);
  return sum;
}

static double dot(int me, const double* u, const double* v, int begin, int end) {
  double sum = 0;
  for (int i = begin; i < end; i++) sum += u[i] * v[i];
  return sum_over_threads(me, sum);
}

static void* solve(void* argument) {
  const int me = (int)(long)argument, begin = a.n * me / THREADS, end = a.n * (me + 1) / THREADS;
  double rr = dot(me, r, r, begin, end);
  int steps = 0;
  for (; steps < 100 && rr > 1e-18; steps++) {
    for (int i = begin; i < end; i++) {
      double sum = 0;
      for (int k = a.begin[i]; k < a.begin[i + 1]; k++) sum += a.value[k] * p[a.column[k]];
      q[i] = sum;
    }
    const double alpha = rr / dot(me, p, q, begin, end);
    for (int i = begin; i < end; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double now = dot(me, r, r, begin, end), beta = now / rr;
    for (int i = begin; i < end; i++) p[i] = r[i] + beta * p[i];
    pthread_barrier_wait(&barrier);
    rr = now;
  }
  return (void*)(long)steps;
}

int main(void) {
  const int side = 12;
  a.n = side * side;
  a.begin = calloc(a.n + 1, sizeof(int));
  a.column = malloc(5 * a.n * sizeof(int));
  a.value = malloc(5 * a.n * sizeof(double));
  double** const vectors[] = {&x, &r, &p, &q};
  for (unsigned i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = calloc(a.n, sizeof(double));
  int count = 0;
  for (int i = 0; i < a.n; i++) {
    const int near[] = {i - side, i % side ? i - 1 : -1, i, i % side != side - 1 ? i + 1 : -1, i + side};
    for (int k = 0; k < 5; k++) {
      if (near[k] < 0 || near[k] >= a.n) continue;
      a.column[count] = near[k];
      a.value[count++] = near[k] == i ? 4.0 : -1.0;
    }
    a.begin[i + 1] = count;
    r[i] = p[i] = 1 + i % 3;
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, solve, (void*)i);
  void* steps = NULL;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], &steps);
  double norm = 0;
  for (int i = 0; i < a.n; i++) norm += x[i] * x[i];
  printf("%ld steps, |x| = %.8f, in the middle %.8f\n", (long)steps, sqrt(norm), x[a.n / 2 + side / 2]);
  return 0;
}
