// A stack without locks (Treiber): what is popped is never pushed again, so that a top is what it was.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node* below;
  uint64_t value;
};
static _Atomic(struct node*) top;
static atomic_uint_fast64_t popped, sum;
static atomic_flag told = ATOMIC_FLAG_INIT;
static atomic_bool all_pushed;
static atomic_int pushing = 2;

static void push(uint64_t value) {
  struct node* const made = malloc(sizeof *made);
  made->value = value;
  made->below = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &made->below, made)) continue;
}

static struct node* pop(void) {
  struct node* is = top;
  while (is != NULL && !atomic_compare_exchange_weak(&top, &is, is->below)) {
  }
  return is;
}

static void* push_all(void* from) {
  for (uint64_t i = 0, first = *(uint64_t*)from; i < 100; i++) push(first + i);
  if (--pushing == 0) all_pushed = true;
  return NULL;
}

static void* pop_all(void* unused) {
  for (;;) {
    const _Bool last = all_pushed;
    struct node* const is = pop();
    if (is != NULL) {
      popped++;
      sum += is->value;
    } else if (last) {
      break;
    }
  }
  if (!atomic_flag_test_and_set(&told)) puts("one is the first that finds it empty");
  return unused;
}

int main(void) {
  uint64_t first[2] = {1000, 5000};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i < 2 ? push_all : pop_all, i < 2 ? &first[i] : NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  printf("%llu popped, their sum is %llu\n", (unsigned long long)popped, (unsigned long long)sum);
  return top != NULL;
}
