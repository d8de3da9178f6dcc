// A program of two files and a header, with inline functions, statics of the same name, and a count of its arguments.
#include <stdio.h>

#include "queue.h"
static int private_to_file = 5;
static void* put(void* n) {
  for (int i = 0; i < 10; i++) {
    queue_put(&common, (int)(long)n);
    next_number();
  }
  limits[(long)n] += private_to_file;
  return NULL;
}
int main(int argc, char* argv[]) {
  verbose = argc > 1 && argv[1][0] == 'v';
  private_to_file += argc;
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, put, (void*)i);
  int sum = 0;
  for (int i = 0; i < 30; i++) {
    pthread_mutex_lock(&common.lock);
    while (common.count == 0) pthread_cond_wait(&common.change, &common.lock);
    sum += common.items[--common.count];
    pthread_cond_broadcast(&common.change);
    pthread_mutex_unlock(&common.lock);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%d %d %d %d %d %d\n", sum, next_number(), verbose, limits[0], limits[1], limits[2]);
  return argc;
}
