// A parallel sum: each thread adds its part of an array, with what it is to do in an array of structs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define LENGTH 10000

typedef struct {
  const double* values;
  size_t from, to;
  double sum;
  unsigned negative : 1, count : 20;
} part_t;

static part_t parts[THREADS];

static void* add(void* argument) {
  part_t* part = (part_t*)argument;
  double sum = 0;
  for (size_t i = part->from; i < part->to; i++) {
    sum += part->values[i];
    if (part->values[i] < 0) part->negative = 1;
    part->count++;
  }
  part->sum = sum;
  return NULL;
}

int main(void) {
  double* values = malloc(LENGTH * sizeof *values);
  if (values == NULL) return 1;
  for (int i = 0; i < LENGTH; i++) values[i] = i % 100;
  values[LENGTH - 1] = -1;
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) {
    parts[t] = (part_t){.values = values, .from = (size_t)t * LENGTH / THREADS, .to = (t + 1u) * LENGTH / THREADS};
    pthread_create(threads + t, NULL, add, parts + t);
  }
  double sum = 0;
  unsigned count = 0, negative = 0;
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    sum += parts[t].sum;
    count += parts[t].count;
    negative += parts[t].negative;
  }
  printf("%.1f of %u values, %u part with negative ones\n", sum, count, negative);
  free(values);
  return EXIT_SUCCESS;
}
