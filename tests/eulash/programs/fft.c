// Fourier's transform of a row of complex numbers, and back: butterflies in stages, a barrier between them.
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BITS 9
#define SIZE (1 << BITS)
#define THREADS 4

typedef double complex number;

static number *from, *to, roots[SIZE / 2];
static pthread_barrier_t stage_done;

static int reversed(int i) {
  int r = 0;
  for (int bit = 0; bit < BITS; bit++) r |= (i >> bit & 1) << (BITS - 1 - bit);
  return r;
}

static void transform(int me, int inverse) {
  for (int i = me; i < SIZE; i += THREADS) to[reversed(i)] = from[i];
  pthread_barrier_wait(&stage_done);
  for (int half = 1; half < SIZE; half *= 2) {
    const int share = SIZE / 2 / THREADS;
    for (int pair = me * share; pair < (me + 1) * share; pair++) {
      const int k = pair % half, low = pair / half * 2 * half + k;
      const number root = inverse ? conj(roots[k * (SIZE / 2 / half)]) : roots[k * (SIZE / 2 / half)];
      const number a = to[low], b = root * to[low + half];
      to[low] = a + b;
      to[low + half] = a - b;
    }
    pthread_barrier_wait(&stage_done);
  }
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  transform(me, 0);
  if (me == 0) {
    number* swapped = from;
    from = to;
    to = swapped;
  }
  pthread_barrier_wait(&stage_done);
  transform(me, 1);
  return NULL;
}

int main(void) {
  const double turn = 6.283185307179586;
  from = malloc(SIZE * sizeof *from);
  to = malloc(SIZE * sizeof *to);
  for (int i = 0; i < SIZE; i++) from[i] = cos(turn * 5 * i / SIZE) + 0.5 * sin(turn * 40 * i / SIZE) * I;
  for (int i = 0; i < SIZE / 2; i++) roots[i] = cexp(-turn * I * i / SIZE);
  pthread_barrier_init(&stage_done, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (int i = 0; i < SIZE; i++)
    if (cabs(from[i]) > 1) printf("frequency %d: %.3f\n", i, cabs(from[i]));
  double worst = 0;
  for (int i = 0; i < SIZE; i++) {
    const number expected = cos(turn * 5 * i / SIZE) + 0.5 * sin(turn * 40 * i / SIZE) * I;
    worst = fmax(worst, cabs(to[i] / SIZE - expected));
  }
  printf("back: %s\n", worst < 1e-12 ? "right" : "wrong");
  return 0;
}
