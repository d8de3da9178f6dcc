// What a valid access costs: a wrapped load, a wrapped store, and the same in plain C, in a loop over an array; and a
// loop that holds it. Prints nanoseconds for each element. Promise: all of them see the same values.
#include "tsubu/eulash/program.h"

enum { words = 1 << 12, rounds = 200 };

static double seconds(void) {
  struct timespec t;
  eulash_clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static long wrapped_sum(const long* a) {
  long sum = 0;
  for (int i = 0; i < words; ++i) {
    sum += EULASH_LOAD(a[i]);
    eulash_poll();
  }
  return sum;
}
__attribute__((noinline)) static void wrapped_fill(long* a, long by) {
  for (int i = 0; i < words; ++i) {
    EULASH_STORE(a[i], i * by);
    eulash_poll();
  }
}
__attribute__((noinline)) static long held_sum(const long* a) {
  struct eulash_run run = {a, a + words - 1, sizeof *a, 0, 0};
  if (!eulash_hold(&run, 1)) return wrapped_sum(a);
  const long* const here = (const long*)((const char*)a + run.shift);
  long sum = 0;
  for (int i = 0; i < words; ++i) sum += here[i];
  return sum;
}
__attribute__((noinline)) static long plain_sum(const long* a) {
  long sum = 0;
  for (int i = 0; i < words; ++i) sum += a[i];
  return sum;
}
__attribute__((noinline)) static void plain_fill(long* a, long by) {
  for (int i = 0; i < words; ++i) a[i] = i * by;
}

static double per_element(double since) { return (seconds() - since) * 1e9 / words / rounds; }

static void* measure(void* argument) {
  long* const a = argument;
  long* const b = malloc(words * sizeof *b);
  long wrong = 0, sums = 0;
  double t = seconds();
  for (long r = 0; r < rounds; ++r) wrapped_fill(a, r);
  const double store = per_element(t);
  for (long r = 0; r < rounds; ++r) plain_fill(b, r);
  t = seconds();
  for (long r = 0; r < rounds; ++r) plain_fill(b, r);
  const double plain_store = per_element(t);
  const long right = plain_sum(b);
  t = seconds();
  for (int r = 0; r < rounds; ++r) wrong += wrapped_sum(a) != right;
  const double load = per_element(t);
  t = seconds();
  for (int r = 0; r < rounds; ++r) wrong += held_sum(a) != right;
  const double held = per_element(t);
  t = seconds();
  for (int r = 0; r < rounds; ++r) sums += plain_sum(b);
  const double plain_load = per_element(t);
  eulash_printf("store %.2f ns, in plain C %.2f; load %.2f ns, held %.2f, in plain C %.2f\n", store, plain_store, load,
                held, plain_load);
  free(b);
  return (void*)(wrong + (sums != right * rounds));
}

int eulash_main(void) {
  pthread_t thread;
  void* wrong = NULL;
  long* const a = eulash_malloc(words * sizeof *a, EULASH_SITE("a", EULASH_INVALIDATE, 0));
  pthread_create(&thread, NULL, measure, a);
  pthread_join(thread, &wrong);
  return (int)(long)wrong;
}
