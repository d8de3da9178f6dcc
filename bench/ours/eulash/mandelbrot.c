// The Mandelbrot set, argv[2] x argv[2] points, at most argv[3] steps, argv[1] threads that take rows from a common
// counter.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int size, most, next_row;
static int* inside;
static pthread_mutex_t rows = PTHREAD_MUTEX_INITIALIZER;

static int steps(double a, double b) {
  double x = 0, y = 0;
  int n = 0;
  for (; n < most && x * x + y * y < 4; n++) {
    const double t = x * x - y * y + a;
    y = 2 * x * y + b;
    x = t;
  }
  return n;
}

static void* draw(void* unused) {
  for (;;) {
    pthread_mutex_lock(&rows);
    const int row = next_row++;
    pthread_mutex_unlock(&rows);
    if (row >= size) return unused;
    int count = 0;
    for (int column = 0; column < size; column++)
      count += steps(-2 + 2.5 * column / size, -1.25 + 2.5 * row / size) == most;
    inside[row] = count;
  }
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  size = argc > 2 ? atoi(argv[2]) : 500;
  most = argc > 3 ? atoi(argv[3]) : 1000;
  inside = calloc((size_t)size, sizeof *inside);
  pthread_t* all = malloc((size_t)threads * sizeof *all);
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, draw, NULL);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  long sum = 0;
  for (int row = 0; row < size; row++) sum += inside[row];
  printf("%ld points\n", sum);
  return 0;
}
