#include <pthread.h>
#include <stdio.h>

static int started;

__attribute__((constructor)) static void start(void) { started = 1; }

static void *work(void *unused) {
  printf("%d\n", started);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}
