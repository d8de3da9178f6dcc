// Breadth-first search, level by level: whoever sets a vertex's level first puts it into the next frontier.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define VERTICES 600
#define DEGREE 3
#define THREADS 4

static int edges[VERTICES][DEGREE];
static _Atomic int level[VERTICES];
static int frontier[2][VERTICES];
static atomic_int count[2];
static atomic_size_t edges_seen;
static pthread_barrier_t barrier;

static void* search(void* argument) {
  const int me = (int)(long)argument;
  size_t seen = 0;
  for (int depth = 0, now = 0; count[now] > 0; depth++, now = !now) {
    pthread_barrier_wait(&barrier);
    for (int i = me, n = atomic_load_explicit(&count[now], memory_order_relaxed); i < n; i += THREADS) {
      const int v = frontier[now][i];
      for (const int* e = edges[v]; e < edges[v] + DEGREE; e++) {
        int unknown = -1;
        seen++;
        if (atomic_compare_exchange_strong(&level[*e], &unknown, depth + 1))
          frontier[!now][atomic_fetch_add(&count[!now], 1)] = *e;
      }
    }
    pthread_barrier_wait(&barrier);
    if (me == 0) count[now] = 0;
    pthread_barrier_wait(&barrier);
  }
  atomic_fetch_add(&edges_seen, seen);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int v = 0; v < VERTICES; v++) {
    level[v] = -1;
    for (int k = 0; k < DEGREE; k++) edges[v][k] = (v * (k + 2) + 37 * k + v / 7) % VERTICES;
  }
  level[0] = 0;
  count[0] = 1;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, search, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  int of_level[VERTICES] = {0}, unreached = 0;
  for (int v = 0; v < VERTICES; v++) level[v] < 0 ? unreached++ : of_level[level[v]]++;
  for (int l = 0; of_level[l]; l++) printf("%d%c", of_level[l], of_level[l + 1] ? ' ' : '\n');
  printf("%d not reached, %zu edges seen\n", unreached, (size_t)edges_seen);
  return 0;
}
