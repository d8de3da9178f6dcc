// Who waits reads a volatile flag, which orders nothing.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static volatile int ready;
static int value;

static void* produce(void* unused) {
  (void)unused;
  value = 42;  // races
  ready = 1;  // races
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  while (!ready) sched_yield();  // races
  printf("%d\n", value);  // races
  pthread_join(producer, NULL);
  return 0;
}
