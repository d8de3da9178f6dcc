// Macros of the program by names that the runtime has in its headers.
#include <pthread.h>
#include <stdio.h>
#define n 40
#define p 3
#define to counts
#define bytes(x) ((x) * 8)
#define op +
static int to[p];
static void* run(void* q) {
  for (int i = 0; i < n; i++) to[(long)q] = to[(long)q] op(int) bytes(i) % 7;
  return 0;
}
int main(void) {
  pthread_t t[p];
  for (long i = 0; i < p; i++) pthread_create(&t[i], 0, run, (void*)i);
  for (int i = 0; i < p; i++) {
    pthread_join(t[i], 0);
    printf("%d\n", to[i]);
  }
  return 0;
}
