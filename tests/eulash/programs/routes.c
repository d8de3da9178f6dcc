// Shortest ways between all places (Floyd and Warshall): rows of a matrix of variable size, and who comes before.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int n = 40, threads = 3;
static void *distances, *nexts;
static pthread_barrier_t barrier;
static int changes;
static pthread_spinlock_t changes_lock;

static void* relax(void* argument) {
  const int me = (int)(long)argument;
  int(*const d)[n] = distances;
  short(*const next)[n] = nexts;
  int changed = 0;
  for (int k = 0; k < n; k++) {
    for (int i = me; i < n; i += threads) {
      if (i == k || d[i][k] < 0) continue;
      for (int j = 0; j < n; j++) {
        if (d[k][j] < 0) continue;
        const int by = d[i][k] + d[k][j];
        if (d[i][j] < 0 || by < d[i][j]) {
          d[i][j] = by;
          next[i][j] = next[i][k];
          ++changed;
        }
      }
    }
    pthread_barrier_wait(&barrier);
  }
  pthread_spin_lock(&changes_lock);
  changes += changed;
  pthread_spin_unlock(&changes_lock);
  return NULL;
}

static int hops(int from, int to) {
  const short(*next)[n] = (const short(*)[n])nexts;
  return from == to ? 0 : 1 + hops(next[from][to], to);
}

int main(void) {
  int(*d)[n] = distances = malloc(sizeof(int[n][n]));
  short(*next)[n] = nexts = malloc(sizeof(short[n][n]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const int is_edge = (i * 13 + j * 7) % 11 == 3 || j == (i + 1) % n;
      d[i][j] = i == j ? 0 : is_edge ? 1 + (i * 5 + j * 3) % 17 : -1;
      next[i][j] = (short)j;
    }
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  pthread_spin_init(&changes_lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t all[threads];
  for (long i = 0; i < threads; i++) pthread_create(&all[i], NULL, relax, (void*)i);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  long sum = 0, longest = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      sum += d[i][j];
      const int h = hops(i, j);
      if (h > longest) longest = h;
    }
  }
  printf("%ld together, %ld hops at most, %d changes\n", sum, longest, changes);
  return 0;
}
