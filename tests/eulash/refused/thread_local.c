#include <pthread.h>

static _Thread_local int calls;

static void *work(void *unused) {
  calls++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return calls;
}
