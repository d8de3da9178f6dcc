#include "queue.h"
#include <string.h>
struct queue common = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};
int verbose, limits[3] = {7, 8, 9};
static int private_to_file = 3;
void queue_put(struct queue* q, int item) {
  pthread_mutex_lock(&q->lock);
  while (queue_count(q) == QUEUE_ROOM) pthread_cond_wait(&q->change, &q->lock);
  q->items[q->count++] = item + private_to_file;
  private_to_file ^= 1;
  pthread_cond_broadcast(&q->change);
  pthread_mutex_unlock(&q->lock);
}
