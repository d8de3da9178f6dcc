// A header that is included twice and has variables of each thread: some in all files, some in each.
#pragma once
#include <pthread.h>
#ifndef TYPE
#define TYPE int
#endif
extern __thread TYPE mine;
extern int common;
extern struct q {
  int v[4];
  struct q* next;
}* queue;
static inline TYPE add(TYPE k) {
  static __thread int n;
  n += k;
  common += k;
  return n;
}
