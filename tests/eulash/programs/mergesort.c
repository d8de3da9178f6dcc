// Merge sort: a thread for each half, down to a depth; arguments and room lie on the stacks of those who create.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
  int* first;
  size_t count;
  int depth;
};

static void merge(const int* a, size_t n, const int* b, size_t m, int* to) {
  while (n && m) *to++ = *a <= *b ? (--n, *a++) : (--m, *b++);
  while (n--) *to++ = *a++;
  while (m--) *to++ = *b++;
}

static void* sort(void* argument) {
  struct part* const p = argument;
  if (p->count < 2) return NULL;
  struct part half[2] = {{p->first, p->count / 2, p->depth - 1},
                         {p->first + p->count / 2, p->count - p->count / 2, p->depth - 1}};
  if (p->depth > 0) {
    pthread_t other;
    if (pthread_create(&other, NULL, &sort, &half[1])) return NULL;
    sort(&half[0]);
    pthread_join(other, NULL);
  } else {
    for (int i = 0; i < 2; i++) sort(half + i);
  }
  int merged[p->count];
  merge(half[0].first, half[0].count, half[1].first, half[1].count, merged);
  memcpy(p->first, merged, sizeof merged);
  return NULL;
}

int main(void) {
  enum { N = 1500 };
  int numbers[N];
  for (int i = 0; i < N; i++) numbers[i] = (int)(i * 7919L % 10007);
  struct part all = {numbers, N, 3};
  sort(&all);
  long sum = 0;
  for (int i = 0; i < N; i++) {
    if (i && numbers[i] < numbers[i - 1]) printf("%d before %d\n", numbers[i - 1], numbers[i]);
    sum = (sum * 7 + numbers[i]) % 1000003;
  }
  printf("%d %d %ld\n", numbers[0], numbers[N - 1], sum);
  return 0;
}
