// The file that defines what the other uses; each has a variable of the same name to itself.
#include <stdio.h>
#include "split.h"
__thread TYPE mine = 3;
int common;
static int hidden = 1;
struct q* queue;
void* other(void*);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t* pm = &m;
int get(void) { return hidden; }
int main(void) {
  struct q a = {{1, 2, 3, 4}, 0}, b = {{5, 6, 7, 8}, &a};
  queue = &b;
  hidden = 9;
  mine = 50;
  pthread_t t[3];
  for (long k = 0; k < 3; k++) pthread_create(&t[k], 0, other, (void*)k);
  long s = 0;
  for (int k = 0; k < 3; k++) {
    void* r;
    pthread_join(t[k], &r);
    s += (long)r;
  }
  printf("%ld %d %d %d %d %d\n", s, common, mine, a.v[3], b.v[0], add(1));
  return 0;
}
