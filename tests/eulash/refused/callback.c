#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static int calls;

static int compare(const void *a, const void *b, void *unused) {
  (void)unused;
  calls++;
  return *(const int *)a - *(const int *)b;
}

static void *work(void *unused) {
  int values[] = {3, 1, 2};
  qsort_r(values, 3, sizeof(int), compare, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return calls == 0;
}
