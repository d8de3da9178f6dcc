#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
#define QUEUE_ROOM 4
struct queue {
  int items[QUEUE_ROOM];
  int count;
  pthread_mutex_t lock;
  pthread_cond_t change;
};
extern struct queue common;
extern int verbose, limits[];
void queue_put(struct queue* q, int item);
static inline int queue_count(struct queue* q) { return q->count; }
static inline int next_number(void) {
  static int number;
  return __sync_fetch_and_add(&number, 1);
}
#endif
