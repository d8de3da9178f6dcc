// The game of life on a torus, two boards that change places, and memcpy of rows.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROWS 24
#define COLUMNS 32
#define WORKERS 3
#define GENERATIONS 12

typedef unsigned char cell;
static cell boards[2][ROWS][COLUMNS];
static pthread_barrier_t step;

static int neighbours(cell (*board)[COLUMNS], int row, int column) {
  int n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) n += board[(row + dy + ROWS) % ROWS][(column + dx + COLUMNS) % COLUMNS];
  return n;
}

static void* live(void* argument) {
  long worker = (long)argument;
  for (int g = 0; g < GENERATIONS; g++) {
    cell(*from)[COLUMNS] = boards[g % 2], (*to)[COLUMNS] = boards[(g + 1) % 2];
    for (int row = worker * ROWS / WORKERS; row < (worker + 1) * ROWS / WORKERS; row++) {
      cell made[COLUMNS];
      for (int column = 0; column < COLUMNS; column++) {
        const int n = neighbours(from, row, column);
        made[column] = n == 3 || (n == 2 && from[row][column]);
      }
      memcpy(to[row], made, sizeof made);
    }
    pthread_barrier_wait(&step);
  }
  return NULL;
}

int main(void) {
  const char* glider[] = {".#.", "..#", "###"};
  for (int i = 0; i < 3; i++)
    for (int j = 0; glider[i][j]; j++) boards[0][i + 2][j + 2] = glider[i][j] == '#';
  boards[0][12][15] = boards[0][12][16] = boards[0][12][17] = 1;
  pthread_barrier_init(&step, NULL, WORKERS);
  pthread_t threads[WORKERS];
  for (long w = 0; w < WORKERS; w++) pthread_create(&threads[w], NULL, live, (void*)w);
  for (int w = 0; w < WORKERS; w++) pthread_join(threads[w], NULL);
  for (int row = 0; row < ROWS; row++) {
    char line[COLUMNS + 1];
    for (int column = 0; column < COLUMNS; column++) line[column] = boards[GENERATIONS % 2][row][column] ? '#' : '.';
    line[COLUMNS] = 0;
    if (strchr(line, '#')) printf("%2d %s\n", row, line);
  }
  return 0;
}
