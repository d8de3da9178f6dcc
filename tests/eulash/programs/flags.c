// Bit-fields in parentheses, unions, packed structs, truth values, structs by value.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct flags {
  unsigned ready : 1, kind : 3;
  int level : 6;
  bool on : 1;
  union {
    struct {
      unsigned lo : 4, hi : 4;
    };
    uint8_t both;
  };
};
struct __attribute__((packed)) odd {
  char c;
  int i;
  double d;
};
static struct flags f[4];
static struct odd o[4];
static volatile int seen[4];
static _Bool truth[4];
#define READY(x) ((x)->ready)
#define KIND(x) (((x)->kind))
#define SETK(x, v)     \
  do {                 \
    ((x)->kind) = (v); \
  } while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
union word {
  double d;
  uint64_t u;
  char bytes[8];
  struct {
    uint32_t low, high;
  } half;
};
static union word w[4];
static struct {
  struct {
    int x, y;
  } p[2];
} nested[4];
struct pair {
  int a, b;
};
static struct pair pairs[4];
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static void* work(void* arg) {
  int k = (int)(intptr_t)arg;
  struct flags* x = &f[k];
  SETK(x, k);
  READY(x) = 1;
  (x->level) -= k * 3;
  x->on = k;
  x->lo = k;
  x->hi += 2;
  ++x->hi;
  x->lo++;
  seen[k] = READY(x) + KIND(x) + (x->level) + x->both;
  truth[k] += 7;
  truth[k] ^= (k & 1);
  o[k].c = 'a' + k;
  o[k].i = -k;
  o[k].d = k * 1.5;
  o[k].i *= 7;
  o[k].d /= 2;
  w[k].d = k + 0.5;
  w[k].half.low ^= 0xff;
  w[k].bytes[7] ^= 0x80;
  nested[k].p[1].x = nested[k].p[0].y = MAX(seen[k], 3);
  pairs[k] = swap((struct pair){.b = k, .a = 100 + k});
  pairs[k] = (pairs[k].a > pairs[k].b) ? swap(pairs[k]) : pairs[k];
  int t = (seen[k]++, seen[k]--, --seen[k]);
  seen[k] += t, seen[k] <<= 1, seen[k] %= 1000;
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (intptr_t k = 0; k < 4; k++) pthread_create(&t[k], 0, work, (void*)k);
  for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
  for (int k = 0; k < 4; k++) {
    struct flags g = f[k];
    printf("%d %d %d %d %d %d %d | %d %d | %c %d %g %zu | %g %x | %d %d | %d %d\n", g.ready, g.kind, g.level, g.on,
           g.lo, g.hi, g.both, seen[k], truth[k], o[k].c, o[k].i, o[k].d, sizeof o[k], w[k].d, (unsigned)w[k].half.low,
           nested[k].p[1].x, nested[k].p[0].y, pairs[k].a, pairs[k].b);
  }
  return 0;
}
