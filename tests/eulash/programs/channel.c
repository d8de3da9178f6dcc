// Channel routing: nets between the pins of two rows get tracks. Threads try orders of the nets, and keep the best.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 40, NETS = 18, TRIES = 30, THREADS = 4 };
struct net { int left, right; };
struct layout { int tracks; long length; char track_of[NETS]; };

static struct net nets[NETS];
static int tries;
static struct layout best = {.tracks = INT_MAX, .length = LONG_MAX};
static pthread_mutex_t tries_lock = PTHREAD_MUTEX_INITIALIZER, best_lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const struct layout* a, const struct layout* b) {
  if (a->tracks != b->tracks) return a->tracks - b->tracks;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  return memcmp(a->track_of, b->track_of, NETS);
}

static void route(const int order[], struct layout* result) {
  char used[NETS][COLUMNS];
  memset(used, 0, sizeof used);
  result->tracks = 0;
  result->length = 0;
  for (int i = 0; i < NETS; i++) {
    const struct net* n = &nets[order[i]];
    int track = 0;
  again:
    for (int c = n->left; c <= n->right; c++) {
      if (used[track][c]) {
        track++;
        goto again;
      }
    }
    memset(&used[track][n->left], 1, n->right - n->left + 1);
    result->track_of[order[i]] = (char)('a' + track);
    result->length += track + 1;
    if (track + 1 > result->tracks) result->tracks = track + 1;
  }
}

static void* search(void* unused) {
  for (;;) {
    pthread_mutex_lock(&tries_lock);
    const int mine = tries++;
    pthread_mutex_unlock(&tries_lock);
    if (mine >= TRIES) return unused;
    int order[NETS];
    unsigned seed = 77u * mine + 1;
    for (int i = 0; i < NETS; i++) order[i] = i;
    for (int i = NETS - 1; i > 0 && mine > 0; i--) {
      seed = seed * 1664525u + 1013904223u;
      const int j = (int)((seed >> 10) % (i + 1)), t = order[i];
      order[i] = order[j];
      order[j] = t;
    }
    struct layout found;
    route(order, &found);
    pthread_mutex_lock(&best_lock);
    if (compare(&found, &best) < 0) best = found;
    pthread_mutex_unlock(&best_lock);
  }
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < NETS; i++) {
    nets[i].left = i * 7 % (COLUMNS - 10);
    nets[i].right = nets[i].left + 3 + i * 5 % 8;
  }
  for (int i = 0; i < THREADS; i++) pthread_create(threads + i, 0, search, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  printf("%d tracks, %ld, %.*s\n", best.tracks, best.length, NETS, best.track_of);
  return 0;
}
