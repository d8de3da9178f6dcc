// A product of matrices, a block of rows for each thread; the matrices are arrays of arrays, and global.
#include <pthread.h>
#include <stdio.h>

#define N 48
#define THREADS 3

double a[N][N], b[N][N], c[N][N];

static double dot(int row, int column) {
  double sum = 0.0;
  for (int k = 0; k < N; k++) sum += a[row][k] * b[k][column];
  return sum;
}

void* multiply(void* argument) {
  int thread = *(int*)argument;
  for (int i = thread * N / THREADS; i < (thread + 1) * N / THREADS; i++)
    for (int j = 0; j < N; j++) c[i][j] = dot(i, j);
  return NULL;
}

int main() {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j;
      b[i][j] = i == j ? 2 : 0;
    }
  }
  for (int t = 0; t < THREADS; t++) {
    numbers[t] = t;
    pthread_create(&threads[t], NULL, multiply, &numbers[t]);
  }
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  double trace = 0, all = 0;
  for (int i = 0; i < N; i++) {
    trace += c[i][i];
    for (int j = 0; j < N; j++) all += c[i][j];
  }
  printf("trace %g, sum %g\n", trace, all);
}
