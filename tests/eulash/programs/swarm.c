// Functions called in loops over shared memory: what they are given the address of is accessed in them, in all the ways
// that can be held, and some that cannot.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MANY 20000
#define THREADS 4
#define CELLS 64

struct bird {
  float at[3], speed[3];
  int seen, tail[2];
  struct bird* friend;
};
struct flock {
  struct bird* birds;
  int from, to;
};

static struct flock flocks[THREADS];
static struct bird* all;
static int count, kinds[CELLS], left;
static double total;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int cell_of(const struct bird* b) { return ((int)b->at[0] * 4 + (int)b->at[1]) * 4 + (int)b->at[2]; }

static void turn(struct bird* b, int d) {
  b->speed[d] = -b->speed[d];
  (*b).seen++;
}

static float move(struct bird* b) {
  float way = 0;
  for (int d = 0; d < 3; d++) {
    b->at[d] += b->speed[d];
    way += b->speed[d];
    if (b->at[d] < 0) {
      b->at[d] = -b->at[d];
      turn(b, d);
    } else if (b->at[d] >= 4) {
      b->at[d] = 7.999f - b->at[d];
      turn(b, d);
    }
  }
  return way;
}

float length_of(const float v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }
static float energy(const struct bird* b, float mass) { return mass * (b->speed[0] + (float)b->seen) + (float)b->tail[1]; }
static void follow(struct bird* b) { b->tail[b->seen & 1] += b->friend->seen & 3; }  // another bird's, which is only read
static void greet(struct bird* b) {
  while (b->seen > 1000) b->seen -= 1000;
}
static void leave(struct bird* b) {
  pthread_mutex_lock(&mutex);
  left += b->seen & 1;
  pthread_mutex_unlock(&mutex);
}

static void* fly(void* argument) {
  const struct flock* f = argument;
  struct bird* own = f->birds;
  const int from = f->from, to = f->to;
  double sum = 0;
  for (int step = 0; step < 3; step++) {
    int here[CELLS] = {0};
    for (int i = from; i < to; i++) {
      const float way = move(&own[i]);
      sum += way < 0 ? -way : way;
      here[cell_of(&own[i])]++;
    }
    int k;
    for (k = from; k <= to - 1; k++)
      if (here[cell_of(&own[k])] > count / CELLS) turn(&own[k], k % 3);
      else own[k].tail[k & 1] += 1;
    sum += k - to;
    for (int i = from; i < to; i++) own[i].at[i % 3] = (own[i].at[i % 3] + own[i].at[(i + 1) % 3]) / 2;
    pthread_barrier_wait(&barrier);
    for (int i = from; i < to; i++) follow(&own[i]);
    for (int i = from; i < to; i++) greet(&own[i]);
    for (int i = from; i < to && i < from + 5; i++) leave(&own[i]);
    for (int i = from; i < to; i++) {
      if (own[i].seen > 2000) break;
      sum += energy(&own[i], 0.5f) + length_of(own[i].at);
    }
    pthread_barrier_wait(&barrier);
  }
  pthread_mutex_lock(&mutex);
  for (int i = from; i < to; i++) kinds[cell_of(&own[i])]++;
  total += sum;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  count = MANY;
  all = calloc(MANY, sizeof *all);
  unsigned seed = 1;
  for (int i = 0; i < count; i++) {
    for (int d = 0; d < 3; d++) {
      seed = seed * 1664525u + 1013904223u;
      all[i].at[d] = (float)(seed >> 16) * 4 / 65536;
      all[i].speed[d] = ((float)(seed >> 8 & 255) - 128) / 128;
    }
    all[i].friend = &all[(i * 7 + 3) % MANY];
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) {
    // Their parts begin and end within blocks.
    flocks[t] = (struct flock){all, t * MANY / THREADS, (t + 1) * MANY / THREADS};
    pthread_create(&threads[t], NULL, fly, &flocks[t]);
  }
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  long long sums = 0;
  for (int i = 0; i < count; i++) sums += (int)(all[i].at[i % 3] * 1000) + all[i].seen * 3 + all[i].tail[0] - all[i].tail[1];
  unsigned hash = 0;
  for (int c = 0; c < CELLS; c++) hash = hash * 31 + (unsigned)kinds[c];
  printf("%lld %u %d %d\n", sums, hash, left, total > 0);
  free(all);
  return 0;
}
