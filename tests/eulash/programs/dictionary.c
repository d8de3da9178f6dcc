// A hash table with a read-write lock for each stripe of its chains; threads insert, look up, count and delete.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHAINS 16
#define STRIPES 4
#define WORDS 30

struct item {
  struct item* next;
  char* key;
  int count;
};
struct table {
  pthread_rwlock_t lock[STRIPES];
  struct item* chain[CHAINS];
};
static struct table* words;
static int hits, misses;

static unsigned hash(const char* s) {
  unsigned h = 5381;
  while (*s) h = h * 33 ^ (unsigned char)*s++;
  return h;
}

// Where the item with that key is, or would be.
static struct item** find(struct table* t, const char* key) {
  struct item** at = &t->chain[hash(key) % CHAINS];
  while (*at && strcmp((*at)->key, key)) at = &(*at)->next;
  return at;
}

static void add(struct table* t, const char* key) {
  pthread_rwlock_t* const lock = &t->lock[hash(key) % CHAINS % STRIPES];
  pthread_rwlock_wrlock(lock);
  struct item** at = find(t, key);
  if (!*at) {
    *at = calloc(1, sizeof **at);
    (*at)->key = strdup(key);
  }
  (*at)->count++;
  pthread_rwlock_unlock(lock);
}

static int count_of(struct table* t, const char* key) {
  pthread_rwlock_t* const lock = &t->lock[hash(key) % CHAINS % STRIPES];
  pthread_rwlock_rdlock(lock);
  const struct item* const is = *find(t, key);
  const int count = is ? is->count : 0;
  pthread_rwlock_unlock(lock);
  return count;
}

static void delete(struct table* t, const char* key) {
  pthread_rwlock_t* const lock = &t->lock[hash(key) % CHAINS % STRIPES];
  pthread_rwlock_wrlock(lock);
  struct item** const at = find(t, key);
  if (*at) {
    struct item* const gone = *at;
    *at = gone->next;
    free(gone->key);
    free(gone);
  }
  pthread_rwlock_unlock(lock);
}

static void* work(void* argument) {
  const int me = *(int*)argument;
  char key[16];
  for (int i = 0; i < WORDS; i++) {
    snprintf(key, sizeof key, "word%d", i * (me + 1) % WORDS);
    add(words, key);
    __atomic_fetch_add(count_of(words, key) > 0 ? &hits : &misses, 1, __ATOMIC_RELAXED);
    sprintf(key, "own%d.%d", me, i);
    add(words, key);
    if (i % 3) delete(words, key);
  }
  return NULL;
}

int main(void) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  int numbers[THREADS];
  words = calloc(1, sizeof *words);
  for (int i = 0; i < STRIPES; i++) pthread_rwlock_init(&words->lock[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  int items = 0, sum = 0;
  for (int c = 0; c < CHAINS; c++)
    for (const struct item* i = words->chain[c]; i; i = i->next) items++, sum += i->count;
  printf("%d items, %d in all, %d hits, %d misses, word0 %d times\n", items, sum, hits, misses, count_of(words, "word0"));
  return 0;
}
