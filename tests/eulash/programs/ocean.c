// Red-black relaxation of a current in a basin, until no point changes by much: each thread has a band of rows.
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define SIZE 42
#define THREADS 3
#define TOLERANCE 1e-3

static struct {
  double stream[SIZE][SIZE];
  double depth[SIZE];
} basin;
static struct {
  pthread_mutex_t lock;
  double change;
  int sweeps, done;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t swept;

static double relax(int from, int to, int colour) {
  double change = 0;
  for (int i = from; i < to; i++)
    for (int j = 1 + (i + colour) % 2; j < SIZE - 1; j += 2) {
      const double before = basin.stream[i][j];
      const double around =
          basin.stream[i - 1][j] + basin.stream[i + 1][j] + basin.stream[i][j - 1] + basin.stream[i][j + 1];
      basin.stream[i][j] = before + 1.5 * ((around - basin.depth[i]) / 4 - before);
      change += fabs(basin.stream[i][j] - before);
    }
  return change;
}

static void* sweep(void* argument) {
  const int me = (int)(long)argument, rows = (SIZE - 2 + THREADS - 1) / THREADS, from = 1 + me * rows;
  const int to = from + rows < SIZE - 1 ? from + rows : SIZE - 1;
  while (!all.done) {
    double change = relax(from, to, 0);
    pthread_barrier_wait(&swept);
    change += relax(from, to, 1);
    pthread_mutex_lock(&all.lock);
    // Nearly all of it is the same in whichever order it is added.
    all.change = fmax(all.change, change);
    pthread_mutex_unlock(&all.lock);
    if (pthread_barrier_wait(&swept) == PTHREAD_BARRIER_SERIAL_THREAD) {
      all.sweeps++;
      all.done = all.change < TOLERANCE;
      all.change = 0;
    }
    pthread_barrier_wait(&swept);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < SIZE; i++) {
    basin.depth[i] = 0.01 * (i % 5);
    basin.stream[i][0] = basin.stream[0][i] = 1;
    basin.stream[i][SIZE - 1] = basin.stream[SIZE - 1][i] = -1;
  }
  pthread_t threads[THREADS];
  pthread_barrier_init(&swept, NULL, THREADS);
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, sweep, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) sum += basin.stream[i][j] * (i - j);
  printf("%d sweeps, stream %.9f\n", all.sweeps, sum);
  return 0;
}
