// A market: each round one thread sets the rate, which all look at again and again; what they spend is added to one
// sum, in turns. The two want to be kept in different ways.
#include <pthread.h>
#include <stdio.h>

#define THREADS 3
#define ROUNDS 20
#define GOODS 64

static double rate;
static double spent;
static int turn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t round_begins, round_ends;

static double shop(int thread) {
  double sum = 0;
  for (int i = thread; i < GOODS; i += 2) sum += rate * (i % 3);
  return sum;
}

static void pay(int thread, double sum) {
  pthread_mutex_lock(&lock);
  while (turn != thread) pthread_cond_wait(&turned, &lock);
  spent = spent * 0.5 + sum;
  turn = (turn + 1) % THREADS;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
}

static void* trade(void* argument) {
  const int thread = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    if (thread == 0) rate = 1 + round * 3 % 11 / 10.0;
    pthread_barrier_wait(&round_begins);
    pay(thread, shop(thread));
    pthread_barrier_wait(&round_ends);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&round_begins, NULL, THREADS);
  pthread_barrier_init(&round_ends, NULL, THREADS);
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, trade, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  printf("spent %.6f\n", spent);
  return 0;
}
