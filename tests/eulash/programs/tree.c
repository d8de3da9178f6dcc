// A search tree and texts on the heap that threads share: recursion, pointers to pointers, arrays of variable length on
// the heap, sorting, searching, strings.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3

struct word {
  char text[16];
  int count;
  struct word *left, *right;
  const char* kind;
  union {
    long number;
    double real;
  } value;
};
struct pair {
  int key;
  struct {
    short low, high;
  } parts;
};

static struct word* root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pair pairs[3 * 20];
static int pair_count, rows, columns;
static char* joined;
static size_t room;
static double* grid;
static const char* const kinds[] = {"even", "odd"};

static struct word** place_of(struct word** at, const char* text) {
  while (*at != NULL) {
    const int order = strcmp(text, (*at)->text);
    if (order == 0) break;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  return at;
}

static int add(const char* text, struct word** made) {
  struct word** at = place_of(&root, text);
  int is_new = *at == NULL;
  if (is_new) {
    *at = malloc(sizeof **at);
    memset(*at, 0, sizeof **at);
    strncpy((*at)->text, text, sizeof(*at)->text - 1);
  }
  (*at)->count++;
  *made = *at;
  return is_new;
}

static void append(const char* text) {
  const size_t old = joined ? strlen(joined) : 0, more = strlen(text);
  if (old + more + 2 > room) {
    room = 2 * (old + more + 2);
    joined = realloc(joined, room);
    if (old == 0) joined[0] = '\0';
  }
  if (old) strcat(joined, " ");
  memmove(joined + strlen(joined), text, more + 1);
}

static struct pair pair_of(int key) { return (struct pair){key, {(short)(key % 7), (short)(key / 7)}}; }

static int by_key(const void* a, const void* b) { return ((const struct pair*)a)->key - ((const struct pair*)b)->key; }

static void* work(void* argument) {
  const int me = *(const int*)argument;
  char text[] = "the quick brown fox jumps over the lazy dog the end", *rest, copy[sizeof text];
  memcpy(copy, text, sizeof text);
  for (char* word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    struct word* made = NULL;
    pthread_mutex_lock(&lock);
    if (add(word, &made)) made->kind = kinds[strlen(made->text) % 2], made->value.number = me;
    *(made->count % 2 ? &made->value.number : &made->value.number) += made->count;
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 20; i++) pairs[pair_count++] = pair_of((i * 37 + me * 11) % 61);
  append(me == 0 ? "zero" : me == 1 ? "one" : "two");
  double(*m)[columns] = (double(*)[columns])grid;
  for (int r = me; r < rows; r += THREADS)
    for (int c = 0; c < columns; c++) m[r][c] = r * 10 + c;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static int show(const struct word* w, int depth) {
  if (w == NULL) return 0;
  const int left = show(w->left, depth + 1);
  printf("%s:%d:%s ", w->text, w->count, w->kind);
  return left + show(w->right, depth + 1) + depth;
}

static void discard(struct word* w) {
  if (!w) return;
  discard(w->left);
  discard(w->right);
  free(w);
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  rows = 5, columns = 7;
  grid = calloc((size_t)(rows * columns), sizeof *grid);
  for (int t = 0; t < THREADS; t++) {
    numbers[t] = t;
    pthread_create(&threads[t], NULL, work, &numbers[t]);
  }
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  show(root, 0);
  qsort(pairs, (size_t)pair_count, sizeof pairs[0], by_key);
  const struct pair wanted = {22, {0, 0}};
  const struct pair* found = bsearch(&wanted, pairs, (size_t)pair_count, sizeof pairs[0], by_key);
  int key = 0, low = 0;
  char line[40];
  snprintf(line, sizeof line, "%d/%d", found ? found->key : -1, found ? found->parts.low : -1);
  if (sscanf(line, "%d/%d", &key, &low) != 2) puts("not read");
  printf("\n%d %d %d, %zu letters, %c\n", key, low, pairs[pair_count - 1].key, strlen(joined), joined[0] ? '+' : '-');
  double sum = 0;
  for (int i = 0; i < rows * columns; i++) sum += grid[i];
  printf("%g\n", sum);
  discard(root);
  free(joined);
  free(grid);
  return 0;
}
