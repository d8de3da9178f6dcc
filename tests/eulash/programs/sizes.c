// Sizes of arrays that are shared data: of variables, parameters, casts and types by name.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int n, m;
static double* flat;
static double sum_rows(double a[n][n], int r) {
  double s = 0;
  for (int j = 0; j < n; j++) s += a[r][j];
  return s;
}
static double at(double (*a)[n], int i, int j) { return a[i][j]; }
static int size(void) { return m; }
static double results[4];
static void* work(void* p) {
  long k = (long)p;
  double tmp[n];
  int other[size()];
  for (int i = 0; i < n; i++) tmp[i] = i * (k + 1);
  other[0] = sizeof other;
  double(*a)[n] = (double(*)[n])flat;
  double s = sum_rows((double(*)[n])flat, k) + at(a, k, 2) + tmp[n - 1] + other[0] + sizeof(double[n]) + sizeof tmp;
  typedef double row[n];
  row* b = (row*)flat;
  s += b[k][1];
  results[k] = s;
  return 0;
}
int main(int argc, char** argv) {
  (void)argv;
  n = 5 * argc;
  m = 3 * argc;
  flat = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n * n; i++) flat[i] = i;
  pthread_t t[4];
  for (long k = 0; k < 4; k++) pthread_create(&t[k], 0, work, (void*)k);
  for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
  for (int k = 0; k < 4; k++) printf("%g\n", results[k]);
  return 0;
}
