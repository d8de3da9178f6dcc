// Addresses in first values: behind an end, before a beginning, of each other, in tables and as numbers.
#include <pthread.h>
#include <stdio.h>
static int a[4] = {1, 2, 3, 4}, guard[4] = {9, 9, 9, 9};
static int *begin = a, *end = a + 4, *before = a - 1 + 0;
struct node {
  int v;
  struct node *next, *prev;
  int* p;
};
static struct node ring[3] = {
    {1, &ring[1], &ring[2], &a[3]}, {2, &ring[2], &ring[0], a + 4}, {3, &ring[0], &ring[1], &guard[0]}};
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static struct {
  const char* name;
  int (*f)(int);
  int* where;
  unsigned long raw;
} table[] = {
    [1] = {.f = twice, .name = "twice", .where = &guard[1]}, [0] = {"thrice", thrice, &a[0], (unsigned long)&a[2]}};
static long sums[3];
static void* work(void* p) {
  long k = (long)p, s = 0;
  for (int* q = begin; q != end; q++) s += *q;
  s += before[1];
  struct node* n = &ring[k];
  for (int i = 0; i < 5; i++, n = n->next) {
    s += n->v * 100;
    s += n->next->prev == n;
  }
  if (ring[1].p == end) s += 100000;
  s += table[0].f(*table[0].where) + table[1].f(*table[1].where) + *(int*)table[0].raw;
  sums[k] = s;
  return 0;
}
int main(void) {
  for (int i = 0; i < 4; i++) {
    a[i] += 10;
    guard[i]++;
  }
  pthread_t t[3];
  for (long k = 0; k < 3; k++) pthread_create(&t[k], 0, work, (void*)k);
  for (int k = 0; k < 3; k++) pthread_join(t[k], 0);
  ring[0].v = 7;
  begin++;
  end--;
  before++;
  table[0].name = "x";
  for (int k = 0; k < 3; k++) printf("%ld\n", sums[k]);
  printf("%s %s %d %d\n", table[0].name, table[1].name, (int)(end - begin), *before);
  return 0;
}
