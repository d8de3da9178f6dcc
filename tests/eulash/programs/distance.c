// The distance between two texts (Levenshtein): a thread for each strip of rows, which follows the one above by a few columns.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define STRIPS 4
#define CHUNK 8

static const char *one = "The quick brown fox jumps over the lazy dog, and the dog sleeps on in the sun.",
                  *two = "A quick brown ox jumped over some lazy dogs; and a dog slept on under the same sun.";
static int table[128][128];
static sem_t done[STRIPS];

static void* fill(void* argument) {
  const int me = (int)(char)(long)argument, rows = (int)strlen(one), columns = (int)strlen(two);
  const int begin = 1 + rows * me / STRIPS, end = 1 + rows * (me + 1) / STRIPS;
  for (int from = 1; from <= columns; from += CHUNK) {
    if (me > 0) sem_wait(&done[me - 1]);
    for (int i = begin; i < end; i++) {
      for (int j = from; j <= MIN(from + CHUNK - 1, columns); j++) {
        const int other = table[i - 1][j - 1] + (one[i - 1] != two[j - 1]);
        table[i][j] = MIN(other, MIN(table[i - 1][j], table[i][j - 1]) + 1);
      }
    }
    sem_post(&done[me]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[STRIPS];
  for (int i = 0; i < 128; i++) table[i][0] = table[0][i] = i;
  for (int i = 0; i < STRIPS; i++) sem_init(&done[i], 0, 0);
  for (long i = 0; i < STRIPS; i++) pthread_create(&threads[i], NULL, fill, (void*)i);
  for (int i = 0; i < STRIPS; i++) pthread_join(threads[i], NULL);
  printf("%d changes\n", table[strlen(one)][strlen(two)]);
  return 0;
}
