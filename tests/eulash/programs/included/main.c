// A list that is included twice, as something else each time.
#include <pthread.h>
#include <stdio.h>
static int a, b, total;
static int f(int x) {
  total += x;
  return x;
}
#define X(n) a += f(n);
static void one(void) {
#include "list.def"
}
#undef X
#define X(n) b += 2 * f(n);
static void two(void) {
#include "list.def"
}
static void* work(void* p) {
  (void)p;
  one();
  two();
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  printf("%d %d %d\n", a, b, total);
  return 0;
}
