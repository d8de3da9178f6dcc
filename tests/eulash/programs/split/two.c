// What threads execute.
#define _GNU_SOURCE
#include <stdlib.h>
#include "split.h"
static int hidden = 100;
extern pthread_mutex_t* pm;
int get(void);
void* other(void* p) {
  long k = (long)p;
  mine += k;
  pthread_mutex_lock(pm);
  hidden++;
  for (struct q* x = queue; x; x = x->next)
    for (int i = 0; i < 4; i++) x->v[i] += k;
  long r = mine + add(2) + get();
  pthread_mutex_unlock(pm);
  return (void*)r;
}
