// How often each letter comes in a text: a table for each thread, one beside the other, which the first thread adds up.
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LETTERS 26
#define THREADS 4

static const char text[] =
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a "
    "wife. However little known the feelings or views of such a man may be on his first entering a neighbourhood, this "
    "truth is so well fixed in the minds of the surrounding families, that he is considered as the rightful property "
    "of some one or other of their daughters.";

struct part {
  const char* from;
  size_t length;
  unsigned counts[LETTERS];
};

static void* count(void* argument) {
  struct part* const p = argument;
  for (size_t i = 0; i < p->length; i++)
    if (isalpha((unsigned char)p->from[i])) p->counts[tolower((unsigned char)p->from[i]) - 'a']++;
  return p;
}

int main(void) {
  struct part parts[THREADS];
  pthread_t threads[THREADS];
  const size_t length = strlen(text), share = length / THREADS;
  for (int t = 0; t < THREADS; t++) {
    memset(&parts[t], 0, sizeof parts[t]);
    parts[t].from = text + t * share;
    parts[t].length = t == THREADS - 1 ? length - t * share : share;
    pthread_create(&threads[t], NULL, count, &parts[t]);
  }
  unsigned all[LETTERS] = {0};
  for (int t = 0; t < THREADS; t++) {
    void* result;
    pthread_join(threads[t], &result);
    for (int c = 0; c < LETTERS; c++) all[c] += ((struct part*)result)->counts[c];
  }
  for (int c = 0; c < LETTERS; c++)
    if (all[c] != 0) printf("%c %u\n", 'a' + c, all[c]);
  return 0;
}
