// Threads write lines of different kinds to a journal, by functions that take what they are given; it is printed sorted.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  enum { NUMBER, TEXT, PAIR } kind;
  unsigned from : 4, urgent : 1;
  union {
    long number;
    char* text;
    struct { short a, b; } pair;
  } is;
} entry;
typedef int (*printer)(char* to, size_t room, const entry* e);

static struct {
  entry* entries;
  size_t count, room;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int print_number(char* to, size_t room, const entry* e) { return snprintf(to, room, "%ld", e->is.number); }
static int print_text(char* to, size_t room, const entry* e) { return snprintf(to, room, "\"%s\"", e->is.text); }
static int print_pair(char* to, size_t room, const entry* e) {
  return snprintf(to, room, "(%hd, %hd)", e->is.pair.a, e->is.pair.b);
}
static const printer printers[] = {[NUMBER] = print_number, [TEXT] = print_text, [PAIR] = print_pair};

static void note(entry e) {
  pthread_mutex_lock(&journal.lock);
  if (journal.count == journal.room) {
    journal.room = journal.room ? 2 * journal.room : 2;
    journal.entries = realloc(journal.entries, journal.room * sizeof(entry));
  }
  journal.entries[journal.count++] = e;
  pthread_cond_signal(&journal.changed);
  pthread_mutex_unlock(&journal.lock);
}

static void say(int from, const char* format, ...) {
  va_list list;
  va_start(list, format);
  char line[40];
  vsnprintf(line, sizeof line, format, list);
  va_end(list);
  note((entry){TEXT, .from = from, .urgent = strlen(line) > 12, .is.text = strdup(line)});
}

static void* work(void* argument) {
  const int me = *(const int*)argument;
  for (int i = 0; i < 4; i++) {
    say(me, "%s %d of %c", i % 2 ? "round" : "another round", i, 'a' + me);
    note((entry){.kind = NUMBER, .from = me, .is.number = 1000L * me + i});
    note((entry){.kind = PAIR, .from = me, .urgent = i == 3, .is.pair = {(short)me, (short)-i}});
  }
  return NULL;
}

static int order(const void* a, const void* b) {
  const entry *x = a, *y = b;
  if (x->from != y->from) return (int)x->from - (int)y->from;
  if (x->kind != y->kind) return (int)x->kind - (int)y->kind;
  switch (x->kind) {
    case NUMBER: return (x->is.number > y->is.number) - (x->is.number < y->is.number);
    case TEXT: return strcmp(x->is.text, y->is.text);
    default: return y->is.pair.b - x->is.pair.b;
  }
}

int main(void) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (numbers[i] = i, &numbers[i]));
  pthread_mutex_lock(&journal.lock);
  while (journal.count < THREADS * 12) pthread_cond_wait(&journal.changed, &journal.lock);
  qsort(journal.entries, journal.count, sizeof journal.entries[0], order);
  pthread_mutex_unlock(&journal.lock);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (const entry* e = journal.entries; e != journal.entries + journal.count; e++) {
    char line[64];
    const int n = printers[e->kind](line, sizeof line, e);
    printf("%u%s %s/%d\n", e->from, e->urgent ? "!" : "", line, n);
    if (e->kind == TEXT) free(e->is.text);
  }
  free(journal.entries);
  return 0;
}
