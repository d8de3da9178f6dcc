// Stages with bounded buffers of messages between them, a barrier made of a mutex and a condition, and what each thread
// keeps under a key.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 3, STAGES = 3, ITEMS = 12 };
typedef struct message {
  int number;
  double values[4];
  char trail[STAGES * 2 + 1];
} message;
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  message* slots[SIZE];
  int first, count, closed;
} buffer;

static buffer buffers[STAGES + 1];
static pthread_key_t counts;
static struct {
  pthread_mutex_t lock;
  pthread_cond_t all_here;
  int missing;
  unsigned long round;
} meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, STAGES, 0};
static int handled;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void put(buffer* b, message* m) {
  pthread_mutex_lock(&b->lock);
  while (b->count == SIZE) pthread_cond_wait(&b->not_full, &b->lock);
  b->slots[(b->first + b->count++) % SIZE] = m;
  pthread_cond_signal(&b->not_empty);
  pthread_mutex_unlock(&b->lock);
}

static message* get(buffer* b) {
  message* m = NULL;
  pthread_mutex_lock(&b->lock);
  while (b->count == 0 && !b->closed) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 30;
    if (pthread_cond_timedwait(&b->not_empty, &b->lock, &until) == ETIMEDOUT) abort();
  }
  if (b->count > 0) {
    m = b->slots[b->first];
    b->first = (b->first + 1) % SIZE;
    b->count--;
    pthread_cond_signal(&b->not_full);
  }
  pthread_mutex_unlock(&b->lock);
  return m;
}

static void close_buffer(buffer* b) {
  pthread_mutex_lock(&b->lock);
  b->closed = 1;
  pthread_cond_broadcast(&b->not_empty);
  pthread_mutex_unlock(&b->lock);
}

static void add_up(void* count) {
  __sync_fetch_and_add(&handled, *(int*)count);
  free(count);
}
static void make_key(void) { pthread_key_create(&counts, add_up); }

static void meet(void) {
  pthread_mutex_lock(&meeting.lock);
  const unsigned long round = meeting.round;
  if (--meeting.missing == 0) {
    meeting.missing = STAGES;
    meeting.round++;
    pthread_cond_broadcast(&meeting.all_here);
  } else {
    do pthread_cond_wait(&meeting.all_here, &meeting.lock);
    while (round == meeting.round);
  }
  pthread_mutex_unlock(&meeting.lock);
}

static void* stage(void* argument) {
  buffer* const from = argument;
  const int me = (int)(from - buffers);
  pthread_once(&once, make_key);
  int* const count = calloc(1, sizeof *count);
  pthread_setspecific(counts, count);
  meet();
  for (message* m; (m = get(from)) != NULL; ++*(int*)pthread_getspecific(counts)) {
    for (size_t i = 0; i < sizeof m->values / sizeof m->values[0]; i++) m->values[i] = m->values[i] * 2 + me;
    strcat(m->trail, (char[]){(char)('A' + me), ' ', 0});
    put(from + 1, m);
  }
  close_buffer(&from[1]);
  meet();
  return NULL;
}

static void* feed(void* unused) {
  for (int i = 0; i < ITEMS; i++) {
    message* const m = malloc(sizeof *m);
    *m = (message){.number = i, .values = {i, i + 0.5, [3] = -i}};
    put(buffers, m);
  }
  close_buffer(buffers);
  return unused;
}

int main(void) {
  pthread_t threads[STAGES + 1];
  for (buffer* b = buffers; b <= buffers + STAGES; b++) {
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->not_empty, NULL);
    pthread_cond_init(&b->not_full, NULL);
  }
  pthread_create(&threads[STAGES], NULL, feed, NULL);
  for (int i = 0; i < STAGES; i++) pthread_create(&threads[i], NULL, stage, &buffers[i]);
  double sum = 0;
  for (int i = 0; i < ITEMS; i++) {
    message* const m = get(&buffers[STAGES]);
    if (m->number != i) printf("%d instead of %d\n", m->number, i);
    for (int k = 0; k < 4; k++) sum += m->values[k];
    if (i == ITEMS - 1) printf("%s", m->trail);
    free(m);
  }
  for (int i = 0; i <= STAGES; i++) pthread_join(threads[i], NULL);
  printf("%g, %d handled, %s\n", sum, handled, get(&buffers[STAGES]) ? "more" : "no more");
  return 0;
}
