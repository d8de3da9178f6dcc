// One datum of each kind that the preprocessor tells apart.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const int limits[2] = {10, 20};  // nobody writes to it
static int steps;                       // the first thread's alone
static long total;                      // several processes'
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long hidden;                     // its address is a text for a while, so nobody knows who has it

static void* add(void* address) {
  void* found;
  long* const own = malloc(sizeof *own);  // this thread's alone
  *own = limits[1];
  pthread_mutex_lock(&lock);
  total += *own;
  if (sscanf(address, "%p", &found) == 1) ++*(long*)found;
  pthread_mutex_unlock(&lock);
  free(own);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  char address[32];  // on main's stack, and reached by others
  snprintf(address, sizeof address, "%p", (void*)&hidden);
  for (steps = 0; steps < 2; steps++) pthread_create(&threads[steps], NULL, add, address);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d steps, %ld, %ld\n", steps, total, hidden);
  return 0;
}
