#include <pthread.h>

static void *work(void *unused) {
  for (;;) pthread_testcancel();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
}
