// Quicksort: a thread for each half until the halves are small, then qsort.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH 2000
#define SMALL 300

struct range {
  int* first;
  int count;
};

static int compare(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static void swap(int* a, int* b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static void* sort(void* argument) {
  struct range* range = argument;
  if (range->count <= SMALL) {
    qsort(range->first, (size_t)range->count, sizeof(int), compare);
    return NULL;
  }
  int* values = range->first;
  const int pivot = values[range->count / 2];
  int i = 0, j = range->count - 1;
  while (i <= j) {
    while (values[i] < pivot) i++;
    while (values[j] > pivot) j--;
    if (i <= j) swap(&values[i++], &values[j--]);
  }
  struct range left = {values, j + 1}, right = {values + i, range->count - i};
  pthread_t thread;
  pthread_create(&thread, NULL, sort, &left);
  sort(&right);
  pthread_join(thread, NULL);
  return NULL;
}

int main(void) {
  int* values = malloc(LENGTH * sizeof(int));
  unsigned seed = 12345;
  for (int i = 0; i < LENGTH; i++) {
    seed = seed * 1103515245u + 12345u;
    values[i] = (int)(seed >> 16) % 10000;
  }
  struct range all = {values, LENGTH};
  sort(&all);
  long sum = 0;
  int sorted = 1;
  for (int i = 0; i < LENGTH; i++) {
    sum += (long)i * values[i];
    if (i > 0 && values[i - 1] > values[i]) sorted = 0;
  }
  printf("%s %d %d %ld\n", sorted ? "sorted" : "not sorted", values[0], values[LENGTH - 1], sum);
  free(values);
  return 0;
}
