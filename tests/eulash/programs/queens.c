// Queens on a board: threads take first rows, and search with boards of their own; solutions are kept in a list.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 7
typedef struct solution {
  struct solution* next;
  unsigned char row[];
} solution;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static solution* found;
static int next_row = N;
static _Thread_local unsigned long steps;

static int fits(const unsigned char row[], int column) {
  for (int c = 0; c < column; c++)
    if (row[c] == row[column] || abs(row[c] - row[column]) == column - c) return 0;
  return 1;
}

static void keep(const unsigned char row[N]) {
  solution* const made = malloc(sizeof *made + N);
  memcpy(made->row, row, N);
  pthread_mutex_lock(&lock);
  solution** at = &found;
  while (*at != NULL && memcmp((*at)->row, row, N) < 0) at = &(*at)->next;
  made->next = *at;
  *at = made;
  pthread_mutex_unlock(&lock);
}

static void place(unsigned char row[], int column) {
  steps++;
  if (column == N) return keep(row);
  for (row[column] = 0; row[column] < N; row[column]++)
    if (fits(row, column)) place(row, column + 1);
}

static void* search(void* unused) {
  (void)unused;
  for (;;) {
    unsigned char row[N];
    pthread_mutex_lock(&lock);
    const int first = --next_row;
    pthread_mutex_unlock(&lock);
    if (first < 0) pthread_exit((void*)steps);
    row[0] = (unsigned char)first;
    place(row, 1);
  }
}

int main(void) {
  pthread_t threads[3];
  unsigned long all = 0;
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, search, NULL);
  for (int i = 0; i < 3; i++) {
    void* own;
    pthread_join(threads[i], &own);
    all += (unsigned long)own;
  }
  int count = 0;
  char text[N + 1] = "";
  for (solution *s = found, *next; s != NULL; s = next, count++) {
    for (int c = 0; count % 10 == 0 && c < N; c++) sprintf(text + c, "%d", s->row[c] + 1);
    if (count % 10 == 0) puts(text);
    next = s->next;
    free(s);
  }
  printf("%d solutions, %lu steps\n", count, all);
  return 0;
}
