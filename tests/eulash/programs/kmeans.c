// Groups points around means: threads take points in chunks from a counter, add up in sums of their own, and the last
// one at the barrier moves the means. Coordinates are whole numbers.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 600
#define GROUPS 4
#define THREADS 4
#define CHUNK 50

typedef struct {
  int x, y;
} point;
typedef struct {
  long x, y, count;
} sum;

static point *points, means[GROUPS];
static unsigned char* group_of;
static sum sums[GROUPS];
static atomic_int next_chunk, changes;
static int rounds, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static int nearest(point p) {
  int best = 0;
  long least = -1;
  for (int g = 0; g < GROUPS; g++) {
    const long dx = p.x - means[g].x, dy = p.y - means[g].y, distance = dx * dx + dy * dy;
    if (least < 0 || distance < least) least = distance, best = g;
  }
  return best;
}

static void group_chunk(int from, sum* mine) {
  for (int i = from; i < from + CHUNK; i++) {
    const int g = nearest(points[i]);
    if (group_of[i] != g) atomic_fetch_add(&changes, 1);
    group_of[i] = (unsigned char)g;
    mine[g].x += points[i].x;
    mine[g].y += points[i].y;
    mine[g].count++;
  }
}

static void move_means(void) {
  for (int g = 0; g < GROUPS; g++) {
    if (sums[g].count != 0) means[g] = (point){(int)(sums[g].x / sums[g].count), (int)(sums[g].y / sums[g].count)};
  }
  memset(sums, 0, sizeof sums);
  rounds++;
  done = changes == 0 || rounds == 50;
  changes = 0;
  next_chunk = 0;
}

static void* group(void* unused) {
  (void)unused;
  while (!done) {
    sum mine[GROUPS] = {{0, 0, 0}};
    for (int from = atomic_fetch_add(&next_chunk, 1) * CHUNK; from < POINTS;
         from = atomic_fetch_add(&next_chunk, 1) * CHUNK)
      group_chunk(from, mine);
    pthread_mutex_lock(&lock);
    for (int g = 0; g < GROUPS; g++) {
      sums[g].x += mine[g].x;
      sums[g].y += mine[g].y;
      sums[g].count += mine[g].count;
    }
    pthread_mutex_unlock(&lock);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) move_means();
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  points = malloc(POINTS * sizeof *points);
  group_of = malloc(POINTS);
  for (int i = 0; i < POINTS; i++) {
    points[i] = (point){i % GROUPS % 2 * 500 + i * 37 % 211, i % GROUPS / 2 * 400 + i * 91 % 173};
    group_of[i] = GROUPS;
  }
  for (int g = 0; g < GROUPS; g++) means[g] = points[g * 7];
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, group, NULL);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  printf("%d rounds\n", rounds);
  for (int g = 0; g < GROUPS; g++) printf("mean %d %d\n", means[g].x, means[g].y);
  return 0;
}
