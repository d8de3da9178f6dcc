// One of each: macros, bit-fields, unions, arrays of variable length, function pointers, varying arguments, compound
// literals, expressions of GNU C, goto, addresses as integers.
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FOREACH(i, n) for (int i = 0; i < (n); ++i)
#define FIELD(p, f) ((p)->f)
#define LOCKED(l, body)      \
  do {                       \
    pthread_mutex_lock(l);   \
    body;                    \
    pthread_mutex_unlock(l); \
  } while (0)

typedef union {
  int i;
  float f;
  unsigned char bytes[4];
} word;
enum color { red, green = 4, blue };
struct point {
  double x, y;
};
struct shape {
  struct point corners[3];
  enum color color;
  const char* name;
  word w;
  struct {
    unsigned a : 4;
    int b : 5;
  };
  int (*area)(const struct shape*, int);
};
static int area_of(const struct shape* s, int scale) { return (int)(s->corners[1].x * s->corners[2].y) * scale; }
static struct shape shapes[2] = {{.color = blue, .name = "one", .corners = {[1] = {2, 3}}, .area = area_of},
                                 {.name = "two"}};
struct shape *first_shape = &shapes[0], *second = shapes + 1;
static double* corner = &shapes[0].corners[1].y;
static char buffer[100];
static const char* names[] = {"a", "bb", "ccc"};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int flag;
static _Bool ok = true;
static long double ld;
static int matrix[3][4];
static int (*rows)[4] = matrix;
static char** words;
static size_t nwords;
static int grid_n;

static void add_words(int count, ...) {
  va_list args;
  va_start(args, count);
  for (int i = 0; i < count; i++) {
    const char* w = va_arg(args, const char*);
    words = realloc(words, (nwords + 1) * sizeof *words);
    words[nwords++] = strdup(w);
  }
  va_end(args);
}

static int total(int n, int a[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) t += a[i][j];
  return t;
}

static struct point middle(struct point a, struct point b) { return (struct point){(a.x + b.x) / 2, (a.y + b.y) / 2}; }

static void* work(void* arg) {
  int me = *(int*)arg;
  LOCKED(&m, flag += me);
  pthread_mutex_lock(&m);
  FOREACH(i, 2) {
    struct shape* s = &shapes[i];
    FIELD(s, corners)[0].x = MAX(s->corners[0].x, me);
    s->corners[2] = middle(s->corners[0], (struct point){.x = 4, 8});
    s->a = (unsigned)me;
    s->b -= 1, s->b--;
    s->w.f = 1.0f;
    if (s->w.bytes[3] != 0x3f) ok = false;
    s->color = s->color == blue ? green : (ok ? red : blue);
    if (s->area) grid_n += s->area(s, 2) + (*s->area)(s, 1);
  }
  *corner += 1;
  (*corner)++;
  rows[me % 3][1] |= 1 << me;
  int* p = &matrix[2][3];
  *p++ = 4;
  p[-2] = 5;
  p -= 1;
  *p <<= 1;
  snprintf(buffer, sizeof buffer, "%s/%d", names[me % 3], me);
  char* slash = strchr(buffer, '/');
  if (slash) *slash = '|';
  for (char* c = buffer; *c; c++) *c = (char)toupper(isalpha((unsigned char)*c) ? *c : '-');
  add_words(2, "x", names[me % 3]);
  int local[2][2] = {{1, matrix[2][3]}, {me}};
  grid_n += total(2, local);
  int vla[grid_n > 0 ? 3 : 2];
  memset(vla, 0, sizeof vla);
  vla[1] = matrix[2][2];
  grid_n += vla[1] + (int)offsetof(struct shape, color) * 0 + (int)sizeof(shapes[0].name) * 0;
  ld += 0.5L;
  switch (shapes[0].color) {
    case red:
      grid_n++;
      break;
    case green:
      grid_n += 2; /* fall through */
    default:
      grid_n += 3;
  }
  errno = 0;
  if (errno == EINTR) ok = 0;
  intptr_t address = (intptr_t)&matrix[1][0];
  *(int*)(address + 4) = 7;
  uint32_t bits;
  memcpy(&bits, &shapes[0].w, sizeof bits);
  grid_n += bits == 0x3f800000u;
  struct shape copy = shapes[1];
  copy.name = "copy";
  shapes[1] = copy;
  int tern = ok ? matrix[1][1] : matrix[0][0];
  grid_n += tern ?: 1;
  grid_n += ({
    int z = matrix[1][1];
    z * 2;
  });
  do {
    grid_n--;
    if (grid_n % 2) continue;
  } while (grid_n > 100);
again:
  if (grid_n++ < 50) goto again;
  pthread_mutex_unlock(&m);
  return (void*)&shapes[1];
}

int main(int argc, char** argv) {
  pthread_t t[4];
  int ids[4];
  printf("%d %s\n", argc, argc > 1 ? argv[1] : "none");
  for (int i = 0; i < 4; i++) {
    ids[i] = i;
    pthread_create(&t[i], NULL, work, &ids[i]);
    void* r;
    pthread_join(t[i], &r);
    if (((struct shape*)r)->name != second->name) puts("differs");
  }
  printf("%d %s %d %g %Lg %d\n", flag, buffer, ok, *corner, ld, grid_n);
  for (size_t i = 0; i < nwords; i++) {
    fputs(words[i], stdout);
    putchar(i + 1 == nwords ? '\n' : ' ');
    free(words[i]);
  }
  free(words);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) printf("%d%c", matrix[i][j], j == 3 ? '\n' : ' ');
  for (int i = 0; i < 2; i++)
    printf("%s %g %g %d %u %d\n", shapes[i].name, shapes[i].corners[0].x, shapes[i].corners[2].y, shapes[i].color,
           shapes[i].a, shapes[i].b);
  fprintf(stderr, "%s\n", first_shape->name);
  return 3;
}
