#include <pthread.h>
#include <stdlib.h>

static void *(*allocate)(size_t) = malloc;
static int *values;

static void *work(void *unused) {
  void *(*mine)(size_t) = malloc;
  values = mine(sizeof *values);
  values[0] = allocate != NULL;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return values[0];
}
