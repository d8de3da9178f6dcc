#include <pthread.h>

static int values[8];
void sort_somehow(int *first, int count);

static void *work(void *unused) {
  sort_somehow(values, 8);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return values[0];
}
