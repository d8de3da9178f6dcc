// The Mandelbrot set, argv[2] x argv[3] points, at most argv[4] steps: argv[1] threads take rows from a common counter,
// and main prints the picture.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int width = 64, height = 24, most = 200, next_row;
static char** picture;
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
    if (row >= height) return unused;
    for (int column = 0; column < width; column++) {
      const int n = steps(-2.2 + 3.2 * column / width, -1.2 + 2.4 * row / height);
      picture[row][column] = " .:-=+*#%@"[n * 9 / most];
    }
  }
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 4;
  if (argc > 4) width = atoi(argv[2]), height = atoi(argv[3]), most = atoi(argv[4]);
  picture = malloc((size_t)height * sizeof *picture);
  for (int row = 0; row < height; row++) picture[row] = calloc((size_t)width + 1, 1);
  pthread_t* all = malloc((size_t)threads * sizeof *all);
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, draw, NULL);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  for (int row = 0; row < height; row++) puts(picture[row]);
  return 0;
}
