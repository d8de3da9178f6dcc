// Producers and consumers with a bounded queue and two condition variables.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define ROOM 5
#define ITEMS 60
#define PRODUCERS 2
#define CONSUMERS 3

struct queue {
  int items[ROOM];
  int count, first;
  bool closed;
  pthread_mutex_t lock;
  pthread_cond_t not_full, not_empty;
};

static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER};

static void put(struct queue* q, int item) {
  pthread_mutex_lock(&q->lock);
  while (q->count == ROOM) pthread_cond_wait(&q->not_full, &q->lock);
  q->items[(q->first + q->count++) % ROOM] = item;
  pthread_cond_signal(&q->not_empty);
  pthread_mutex_unlock(&q->lock);
}

static bool take(struct queue* q, int* item) {
  pthread_mutex_lock(&q->lock);
  while (q->count == 0 && !q->closed) pthread_cond_wait(&q->not_empty, &q->lock);
  const bool there = q->count > 0;
  if (there) {
    *item = q->items[q->first];
    q->first = (q->first + 1) % ROOM;
    --q->count;
    pthread_cond_signal(&q->not_full);
  }
  pthread_mutex_unlock(&q->lock);
  return there;
}

static void* produce(void* argument) {
  for (long i = (long)argument; i < ITEMS; i += PRODUCERS) put(&queue, (int)i);
  return NULL;
}

static void* consume(void* argument) {
  long* sum = argument;
  int item;
  while (take(&queue, &item)) *sum += item;
  return NULL;
}

int main(void) {
  pthread_t producers[PRODUCERS], consumers[CONSUMERS];
  long sums[CONSUMERS] = {0};
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumers[i], NULL, consume, &sums[i]);
  for (long i = 0; i < PRODUCERS; i++) pthread_create(&producers[i], NULL, produce, (void*)i);
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producers[i], NULL);
  pthread_mutex_lock(&queue.lock);
  queue.closed = true;
  pthread_cond_broadcast(&queue.not_empty);
  pthread_mutex_unlock(&queue.lock);
  long sum = 0;
  for (int i = 0; i < CONSUMERS; i++) {
    pthread_join(consumers[i], NULL);
    sum += sums[i];
  }
  printf("%d items, their sum is %ld\n", ITEMS, sum);
  return 0;
}
