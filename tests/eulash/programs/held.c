// Loops over shared memory whose bounds, pointers and data may be the same.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned char* bytes;
static int n = 40, *len;
static uint32_t words[16];
static struct {
  int count;
  int v[20];
} s;
static int* alias;
static double *x, *y;
static char** names;
static void* work(void* p) {
  long k = (long)p;
  for (int i = 0; i < s.count; i++) s.v[i] += i;
  alias = &s.v[2];
  for (int i = 0; i < 5; i++) s.v[i] = *alias + 1;
  for (int i = 0; i < *len; i++) bytes[i] = (unsigned char)(i + k);
  for (int i = 0; i < 15; i++) words[i + 1] = words[i] + (uint32_t)k;
  for (int i = 1; i < n; i++) x[i] = x[i - 1] + y[n - i];
  for (long i = n - 1; i >= 0; i--) y[i] += x[i];
  for (unsigned i = 0; i < 3; i++) names[i][0]++;
  double* q = x;
  for (int i = 0; i < n / 2; i++) {
    *q += 1;
    q++;
  }
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    double t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
  int i;
  for (i = 0; i < n && x[i] > 3; i++) y[i] -= 1;
  s.v[19] += i;
  memcpy(&words[8], &x[3], sizeof x[3]);
  words[9] &= 0xffff;
  return 0;
}
int main(void) {
  bytes = calloc(64, 1);
  len = malloc(sizeof *len);
  *len = 33;
  x = calloc(n, sizeof *x);
  y = calloc(n, sizeof *y);
  names = malloc(3 * sizeof *names);
  for (int i = 0; i < 3; i++) names[i] = strdup("abc");
  s.count = 19;
  words[0] = 7;
  for (int i = 0; i < n; i++) y[i] = i % 3;
  for (long k = 0; k < 4; k++) {
    pthread_t t;
    pthread_create(&t, 0, work, (void*)k);
    pthread_join(t, 0);
  }
  unsigned h = 0;
  for (int i = 0; i < 64; i++) h = h * 31 + bytes[i];
  for (int i = 0; i < 16; i++) h = h * 31 + words[i];
  for (int i = 0; i < 20; i++) h = h * 31 + (unsigned)s.v[i];
  double d = 0;
  for (int i = 0; i < n; i++) d += x[i] * i - y[i];
  printf("%u %g %s\n", h, d, names[1]);
  return 0;
}
