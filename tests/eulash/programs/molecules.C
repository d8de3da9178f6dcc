/* Molecules in a line that push each other, in the style of SPLASH-3: CREATE() has the number of threads, and there is a
   queue of work behind a lock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

MAIN_ENV

#define N 64
#define STEPS 5
#define MY_LOCK(k) LOCK(shared->locks[k])
#define MY_UNLOCK(k) UNLOCK(shared->locks[k])

struct shared {
  LOCKDEC(locks[8])
  LOCKDEC(queue)
  BARDEC(all)
  int taken[STEPS], first_free;
  double at[N], force[N];
};
static struct shared *shared;
long threads = 3;

static void push(int i, int j) {
  double d = shared->at[j] - shared->at[i], f = 1 / (d * d + 0.5) * (d > 0 ? -1 : 1);
  f = floor(f * 4096) / 4096;
  MY_LOCK(i % 8)
  shared->force[i] += f;
  MY_UNLOCK(i % 8)
  MY_LOCK(j % 8)
  shared->force[j] -= f;
  MY_UNLOCK(j % 8)
}

void start(void) {
  LOCK(shared->queue)
  long me = shared->first_free++;
  UNLOCK(shared->queue)
  for (int step = 0; step < STEPS; step++) {
    for (;;) {
      int i;
      LOCK(shared->queue);
      i = shared->taken[step];
      shared->taken[step] += 4;
      UNLOCK(shared->queue);
      if (i >= N) break;
      for (int k = i; k < i + 4; k++)
        for (int j = k + 1; j < N && j < k + 4; j++) push(k, j);
    }
    BARRIER(shared->all, threads)
    for (int i = (int)me; i < N; i += (int)threads) {
      shared->at[i] += shared->force[i] / 16;
      shared->force[i] = 0;
    }
    BARRIER(shared->all, threads)
  }
}

int main(void) {
  MAIN_INITENV
  shared = (struct shared *)G_MALLOC(sizeof(struct shared));
  for (int k = 0; k < 8; k++) { LOCKINIT(shared->locks[k]) }
  LOCKINIT(shared->queue)
  BARINIT(shared->all, threads)
  for (int i = 0; i < STEPS; i++) shared->taken[i] = 0;
  for (int i = 0; i < N; i++) { shared->at[i] = i * 0.75; shared->force[i] = 0; }
  shared->first_free = 0;
  CREATE(start, threads)
  WAIT_FOR_END(threads)
  for (int i = 0; i < N; i += 9) printf("%.6f\n", shared->at[i]);
  MAIN_END
}
