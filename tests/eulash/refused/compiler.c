#include <pthread.h>

static int counter;

static void *work(void *unused) {
#ifdef __clang__
  counter++;
#else
  counter += 2;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return counter;
}
