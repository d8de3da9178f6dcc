// A cache of answers in a hash table: many threads look, under a read-write lock; who does not find adds what it has
// worked out.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 16
#define THREADS 4
#define QUESTIONS 60

struct answer {
  unsigned question;
  unsigned steps;
  struct answer* next;
};
static struct answer* buckets[BUCKETS];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long total[THREADS];
static unsigned kept;

static unsigned work_out(unsigned n) {
  unsigned steps = 0;
  for (; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) steps++;
  return steps;
}

static const struct answer* find(unsigned question) {
  const struct answer* a = buckets[question % BUCKETS];
  while (a != NULL && a->question != question) a = a->next;
  return a;
}

static unsigned ask(unsigned question) {
  pthread_rwlock_rdlock(&lock);
  const struct answer* known = find(question);
  const unsigned steps = known != NULL ? known->steps : 0;
  pthread_rwlock_unlock(&lock);
  if (known != NULL) return steps;
  struct answer* made = malloc(sizeof *made);
  *made = (struct answer){question, work_out(question), NULL};
  const unsigned answer = made->steps;
  pthread_rwlock_wrlock(&lock);
  if (find(question) == NULL) {
    made->next = buckets[question % BUCKETS];
    buckets[question % BUCKETS] = made;
    kept++;
    made = NULL;
  }
  pthread_rwlock_unlock(&lock);
  free(made);
  return answer;
}

static void* questioner(void* argument) {
  const unsigned me = (unsigned)(unsigned long)argument;
  for (unsigned i = 0; i < QUESTIONS; i++) total[me] += ask(1 + i * (me + 3) % 40);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (unsigned long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, questioner, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (int t = 0; t < THREADS; t++) printf("thread %d: %ld\n", t, total[t]);
  printf("%u answers kept\n", kept);
  for (int b = 0; b < BUCKETS; b++)
    while (buckets[b] != NULL) {
      struct answer* const gone = buckets[b];
      buckets[b] = gone->next;
      free(gone);
    }
  return 0;
}
