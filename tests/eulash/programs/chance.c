// The random numbers of the C library: one sequence for all threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static double v;
static long r;
static void* work(void* p) {
  (void)p;
  v = drand48();
  r = random();
  return 0;
}
int main(void) {
  srand48(7);
  srandom(9);
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    printf("%g %ld\n", v, r);
  }
  return 0;
}
