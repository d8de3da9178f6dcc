// Varying arguments, and lists of them that are given on, with texts in shared memory.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  char name[24];
  int count;
  long double weight;
};
static struct item* items;
static char* last[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[4][200];
static void vlog(int who, const char* fmt, va_list ap) {
  char line[100];
  vsnprintf(line, sizeof line, fmt, ap);
  pthread_mutex_lock(&lock);
  strcat(log_text[who], line);
  pthread_mutex_unlock(&lock);
}
static void note(int who, const char* fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  vlog(who, fmt, ap);
  va_end(ap);
  vlog(who, fmt, again);
  va_end(again);
}
static void* kept[4];
static void keep(int who, int n, va_list ap) {
  for (int i = 0; i < n; i++) kept[who] = va_arg(ap, void*);
}
static void remember(int who, int n, ...) {
  va_list ap;
  va_start(ap, n);
  keep(who, n, ap);
  va_end(ap);
}
static void* work(void* p) {
  int k = (int)(long)p;
  struct item* mine = &items[k];
  note(k, "%s has %d of %.2Lf, %c%%;", mine->name, mine->count, mine->weight, mine->name[0]);
  last[k] = strdup(mine->name);
  int* box = malloc(sizeof *box);
  *box = k * 11;
  remember(k, 2, (void*)0, box);
  return last[k];
}
int main(void) {
  items = calloc(4, sizeof *items);
  for (int i = 0; i < 4; i++) {
    snprintf(items[i].name, sizeof items[i].name, "item-%d", i);
    items[i].count = i * i;
    items[i].weight = i / 4.0L;
  }
  pthread_t t[4];
  for (long k = 0; k < 4; k++) pthread_create(&t[k], NULL, work, (void*)k);
  for (int k = 0; k < 4; k++) {
    void* r;
    pthread_join(t[k], &r);
    printf("%s %s %d\n", (char*)r, log_text[k], *(int*)kept[k]);
  }
  for (int k = 0; k < 4; k++) printf("%-10s|%10s|%.3s|%*d\n", last[k], items[k].name, last[k], 5, items[k].count);
  return 0;
}
