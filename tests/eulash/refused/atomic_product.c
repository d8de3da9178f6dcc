#include <pthread.h>

static _Atomic int product = 1;

static void *work(void *unused) {
  product *= 3;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return product;
}
