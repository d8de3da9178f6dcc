// Threads with arguments on main's stack, and results that they return.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 6

struct task {
  int number;
  const char* greeting;
  char said[32];
};

static void* hello(void* argument) {
  struct task* task = argument;
  snprintf(task->said, sizeof task->said, "%s from thread %d", task->greeting, task->number);
  int* result = malloc(sizeof *result);
  *result = task->number * task->number;
  return result;
}

int main(void) {
  pthread_t threads[THREADS];
  struct task tasks[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    tasks[i].number = i;
    tasks[i].greeting = i % 2 ? "hello" : "good day";
    if (pthread_create(&threads[i], NULL, hello, &tasks[i]) != 0) return 1;
  }
  int sum = 0;
  for (int i = 0; i < THREADS; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += *(int*)result;
    free(result);
    puts(tasks[i].said);
  }
  printf("sum of squares: %d\n", sum);
}
