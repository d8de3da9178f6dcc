// Stages behind each other, as in a factory: each takes from a belt with room for a few and puts onto the next one;
// semaphores count what is there and what there is room for.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define STAGES 3
#define ROOM 4
#define ITEMS 40
#define LAST (-1)

struct belt {
  long items[ROOM];
  int in, out;
  sem_t full, empty;
};
static struct belt belts[STAGES + 1];

static void put(struct belt* b, long item) {
  sem_wait(&b->empty);
  b->items[b->in] = item;
  b->in = (b->in + 1) % ROOM;
  sem_post(&b->full);
}

static long take(struct belt* b) {
  sem_wait(&b->full);
  const long item = b->items[b->out];
  b->out = (b->out + 1) % ROOM;
  sem_post(&b->empty);
  return item;
}

static long twice(long x) { return 2 * x; }
static long square(long x) { return x * x % 1000; }
static long plus_one(long x) { return x + 1; }
static long (*const work[STAGES])(long) = {twice, square, plus_one};

static void* stage(void* argument) {
  const long number = (long)argument;
  for (;;) {
    const long item = take(&belts[number]);
    if (item == LAST) break;
    put(&belts[number + 1], work[number](item));
  }
  put(&belts[number + 1], LAST);
  return NULL;
}

static void* feed(void* unused) {
  for (long i = 0; i < ITEMS; i++) put(&belts[0], i);
  put(&belts[0], LAST);
  return unused;
}

int main(void) {
  pthread_t threads[STAGES], feeder;
  for (int s = 0; s <= STAGES; s++) {
    sem_init(&belts[s].full, 0, 0);
    sem_init(&belts[s].empty, 0, ROOM);
  }
  for (long s = 0; s < STAGES; s++) pthread_create(&threads[s], NULL, stage, (void*)s);
  pthread_create(&feeder, NULL, feed, NULL);
  long sum = 0;
  int count = 0;
  for (long item = take(&belts[STAGES]); item != LAST; item = take(&belts[STAGES])) sum += item * ++count;
  for (int s = 0; s < STAGES; s++) pthread_join(threads[s], NULL);
  pthread_join(feeder, NULL);
  printf("%d items, checksum %ld\n", count, sum);
  return 0;
}
