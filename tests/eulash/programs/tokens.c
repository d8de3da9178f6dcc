// Adds up columns of a table of text that main has written: each thread cuts lines of its own into words by strtok_r(),
// whose later calls say by the third argument alone what they go on with.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 12
#define THREADS 4

static char lines[LINES][64];
static double sums[LINES];

static double sum_of(char* line) {
  char *rest, *end;
  double sum = 0;
  for (char* word = strtok_r(line, ",; ", &rest); word != NULL; word = strtok_r(NULL, ",; ", &rest)) {
    const double x = strtod(word, &end);
    if (*end == '\0') sum += x;
    else word[0] = '?';
  }
  return sum;
}

static void* add(void* argument) {
  for (long i = (long)argument; i < LINES; i += THREADS) sums[i] = sum_of(lines[i]);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < LINES; i++) sprintf(lines[i], "%d.5, line;%d  %d,x%d", i, i * i, 3 * i, i);
  for (long k = 0; k < THREADS; k++) pthread_create(&threads[k], NULL, add, (void*)k);
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
  for (int i = 0; i < LINES; i++) printf("%d: %g %s\n", i, sums[i], lines[i]);
  return 0;
}
