/* A grid that is relaxed in stripes, in the style of SPLASH: `LOCK(x)' in a comment stays as it is. */
#include <stdio.h>
#include <stdlib.h>
#include "relax.h"

MAIN_ENV

struct global_memory *global;
static double *grid, *next_grid;
static int P = 4, n = 18;
static const char *length_of = "len(";

static int len(int i, int j) { return i * n + j; }

static void slave(void) {
  int id;
  LOCK(global->id_lock)
    id = global->next_id++;
  UNLOCK(global->id_lock)
  WAITPAUSE(global->start)
  int from = 1 + id * (n - 2) / P, to = 1 + (id + 1) * (n - 2) / P;
  for (int round = 0; round < 6; round++) {
    double *a = round % 2 ? next_grid : grid, *b = round % 2 ? grid : next_grid, change = 0;
    for (int i = from; i < to; i++) {
      for (int j = 1; j < n - 1; j++) {
        double v = (a[len(i - 1, j)] + a[len(i + 1, j)] + a[len(i, j - 1)] + a[len(i, j + 1)]) / 4;
        change += v > a[len(i, j)] ? v - a[len(i, j)] : a[len(i, j)] - v;
        b[len(i, j)] = v;
      }
    }
    BARRIER(global->phase, P);
    ALOCK(global->sum_locks, round % 2);
    global->changes[round % 2][round] += (long)(change * 1024);
    AULOCK(global->sum_locks, round % 2);
    BARRIER(global->done, P)
  }
}

int main(int argc, char **argv) {
  unsigned long begin, end;
  (void)argc, (void)argv;
  CLOCK(begin)
  MAIN_INITENV(, 1000000)
  global = (struct global_memory *)G_MALLOC(sizeof *global);
  memset(global, 0, sizeof *global);
  grid = NU_MALLOC(sizeof(double) * n * n, 0);
  next_grid = G_MALLOC(sizeof(double) * n * n);
  LOCKINIT(global->id_lock);
  ALOCKINIT(global->sum_locks, 2)
  BARINIT(global->phase);
  BARINIT(global->done, P);
  PAUSEINIT(global->start);
  for (int i = 0; i < n * n; i++) grid[i] = next_grid[i] = i < n ? 1024 : i % 7;
  for (int i = 1; i < P; i++) CREATE(slave)
  SETPAUSE(global->start);
  slave();
  WAIT_FOR_END(P - 1)
  CLOCK(end)
  for (int i = 0; i < 6; i++) printf("%ld\n", global->changes[i % 2][i]);
  printf("%.6f %s %d %d\n", grid[len(3, 3)], length_of, end >= begin, __LINE__);
  MAIN_END
}
