// Two threads write to a variable on main's stack.
#include <pthread.h>
#include <stdio.h>

static void* count(void* to) {
  *(int*)to += 1;  // races
  return NULL;
}

int main(void) {
  int done = 0;
  pthread_t counters[2];
  for (int i = 0; i < 2; i++) pthread_create(&counters[i], NULL, count, &done);
  for (int i = 0; i < 2; i++) pthread_join(counters[i], NULL);
  printf("%d\n", done);
  return 0;
}
