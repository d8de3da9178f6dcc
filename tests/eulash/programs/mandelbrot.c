// The Mandelbrot set: threads take rows from a common counter, and main prints the picture.
#include <pthread.h>
#include <stdio.h>

enum { width = 64, height = 24, threads = 4, most = 200 };

static char picture[height][width + 1];
static int next_row;
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
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&rows);
    const int row = next_row++;
    pthread_mutex_unlock(&rows);
    if (row >= height) return NULL;
    for (int column = 0; column < width; column++) {
      const int n = steps(-2.2 + 3.2 * column / width, -1.2 + 2.4 * row / height);
      picture[row][column] = " .:-=+*#%@"[n * 9 / most];
    }
    picture[row][width] = '\0';
  }
}

int main(void) {
  pthread_t all[threads];
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, draw, NULL);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  for (int row = 0; row < height; row++) puts(picture[row]);
  return 0;
}
