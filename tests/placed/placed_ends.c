// Promise: a placed program ends as its argument says: by exit() in any thread, by main() while others wait; and what
// it may not do ends the job with a line that says so, a deadlock with the lines where its threads wait.
#include "tsubu/eulash/program.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static __typeof__(b)* eulash_g_b;
EULASH_GLOBAL(b, "b", EULASH_INVALIDATE, 0, 0, NULL);
static long number = 7;
static __typeof__(number)* eulash_g_number;
EULASH_GLOBAL(number, "number", EULASH_INVALIDATE, 0, 0, NULL);

static void* waits(void* argument) {
  pthread_mutex_lock(&a);
  return argument;
}
static void* spins(void* argument) {
  for (;;) eulash_poll();
  return argument;
}
static void* exits(void* argument) {
  eulash_printf("about to exit\n");
  eulash_exit(3);
  return argument;
}
static void* crosses(void* argument) {
  pthread_mutex_lock(eulash_g_b);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&a);
  return argument;
}
static void* reads(void* p) { return (void*)EULASH_LOAD(*(long*)p); }
static void* strays(void* p) {
  return (void*)*(long*)p;  // not wrapped
}
static void* frees(void* p) {
  eulash_free(p);
  return NULL;
}
static void* unlocks(void* argument) {
  pthread_mutex_unlock(&a);
  return argument;
}

static void* prints(void* argument) {
  for (int i = 0; i < 1000; ++i) sched_yield();
  eulash_printf("main has left\n");
  return argument;
}

static void run(void* (*work)(void*), void* argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, argument);
  pthread_join(thread, NULL);
}

int eulash_main(int argc, char** argv) {
  pthread_t thread;
  char how[20] = "";
  if (argc > 1) eulash_strncpy(how, EULASH_LOAD(argv[1]), sizeof how - 1);
  long* const p = eulash_malloc(sizeof *p, EULASH_SITE("number of main", EULASH_INVALIDATE, 0));
  EULASH_STORE(*p, 1);
  pthread_barrier_init(&both, NULL, 2);
  pthread_mutex_lock(&a);
  if (strcmp(how, "exit") == 0) {
    pthread_create(&thread, NULL, waits, NULL);
    pthread_create(&thread, NULL, spins, NULL);
    run(exits, NULL);
  } else if (strcmp(how, "return") == 0) {
    pthread_create(&thread, NULL, waits, NULL);
    pthread_create(&thread, NULL, spins, NULL);
    eulash_printf("about to return\n");
    return 4;
  } else if (strcmp(how, "leave") == 0) {
    pthread_create(&thread, NULL, prints, NULL);
    pthread_exit(NULL);
  } else if (strcmp(how, "private") == 0) {
    pthread_mutex_lock((pthread_mutex_t*)malloc(sizeof(pthread_mutex_t)));
  } else if (strcmp(how, "deadlock") == 0) {
    pthread_create(&thread, NULL, crosses, NULL);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(eulash_g_b);
  } else if (strcmp(how, "freed") == 0) {
    run(reads, p);
    eulash_free(p);
    run(frees, eulash_malloc(1, EULASH_SITE("another", EULASH_INVALIDATE, 0)));
    run(reads, p);
  } else if (strcmp(how, "twice") == 0) {
    run(frees, p);
    run(frees, p);
  } else if (strcmp(how, "unlock") == 0) {
    run(unlocks, NULL);
  } else if (strcmp(how, "stray") == 0) {
    run(strays, eulash_g_number);
  } else if (strcmp(how, "abort") == 0) {
    eulash_abort();
  }
  return 0;
}
