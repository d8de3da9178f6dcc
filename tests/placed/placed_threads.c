// Promise: a threads program, wrapped as `eulash cc` wraps it, computes what it does on one memory, in any number of
// processes: threads, mutexes, condition variables, barriers, semaphores, locks, once, values of threads' own, atomics;
// globals with pointers to each other; lists that one allocates and another frees; bit-fields; addresses of locals.
#include "tsubu/eulash/program.h"

enum { threads = 7, rounds = 40 };

static long total = 5;
static __typeof__(total)* eulash_g_total;
EULASH_GLOBAL(total, "total", EULASH_INVALIDATE, 0, 0, NULL);
static long* of_total = &total;
static __typeof__(of_total)* eulash_g_of_total;
static const size_t pointers_of_total[] = {0, (size_t)&total};
EULASH_GLOBAL(of_total, "of_total", EULASH_UPDATE_PROTOCOL, 0, 1, pointers_of_total);
static long slots[threads];
static __typeof__(slots)* eulash_g_slots;
EULASH_GLOBAL(slots, "slots", EULASH_MOBILE, 64, 0, NULL);
static _Atomic int tickets;
static __typeof__(tickets)* eulash_g_tickets;
EULASH_GLOBAL(tickets, "tickets", EULASH_GLOBAL_PROTOCOL, 0, 0, NULL);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t nested;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t first = PTHREAD_ONCE_INIT;
static sem_t room;
static pthread_key_t own;
static __typeof__(own)* eulash_g_own;
EULASH_GLOBAL(own, "own", EULASH_INVALIDATE, 0, 0, NULL);

struct node {
  struct node* next;
  long value;
  unsigned low : 3, high : 5;
  char name[24];
};
static struct node* list;
static __typeof__(list)* eulash_g_list;
EULASH_GLOBAL(list, "list", EULASH_INVALIDATE, 0, 0, NULL);
static int waiting_for = 0;
static __typeof__(waiting_for)* eulash_g_waiting_for;
EULASH_GLOBAL(waiting_for, "waiting_for", EULASH_INVALIDATE, 0, 0, NULL);
static int begun;
static __typeof__(begun)* eulash_g_begun;
EULASH_GLOBAL(begun, "begun", EULASH_INVALIDATE, 0, 0, NULL);
static long ended;
static __typeof__(ended)* eulash_g_ended;
EULASH_GLOBAL(ended, "ended", EULASH_INVALIDATE, 0, 0, NULL);

static void begin(void) { EULASH_POST_INCREMENT(*eulash_g_begun); }
static void end_of_own(void* value) {
  EULASH_ATOMIC_FETCH(add, *eulash_g_ended, EULASH_LOAD(*(long*)value));
  eulash_free(value);
}

static void push(int me, int round) {
  struct node* const made = eulash_malloc(sizeof *made, EULASH_SITE("nodes", EULASH_INVALIDATE, 0));
  EULASH_STORE(made->value, (long)me * rounds + round);
  EULASH_STORE_FIELD(*made, low, me & 7);
  EULASH_STORE_FIELD(*made, high, round & 31);
  eulash_snprintf(made->name, sizeof made->name, "%d.%d", me, round);
  pthread_mutex_lock(&lock);
  EULASH_STORE(made->next, EULASH_LOAD(*eulash_g_list));
  EULASH_STORE(*eulash_g_list, made);
  pthread_mutex_unlock(&lock);
}

static void* work(void* argument) {
  long* const result = argument;  // on main's stack
  const int me = (int)EULASH_LOAD(*result);
  long* const mine = eulash_malloc(sizeof *mine, EULASH_SITE("mine", EULASH_INVALIDATE, 0));
  EULASH_STORE(*mine, me + 1);
  pthread_once(&first, begin);
  pthread_setspecific(EULASH_LOAD(*eulash_g_own), mine);
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&lock);
    EULASH_UPDATE(*EULASH_LOAD(*eulash_g_of_total), +, me);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(eulash_g_tickets, 2);
    push(me, i);
    EULASH_STORE((*eulash_g_slots)[me], (long)i);
    pthread_barrier_wait(&all);
    long sum = 0;
    for (int t = 0; t < threads; ++t) {
      sum += EULASH_LOAD((*eulash_g_slots)[t]);
      eulash_poll();
    }
    if (sum != (long)threads * i) EULASH_STORE(*result, -1000000L);
    pthread_barrier_wait(&all);
  }
  pthread_mutex_lock(&nested);
  pthread_mutex_lock(&nested);
  pthread_mutex_unlock(&nested);
  pthread_mutex_unlock(&nested);
  sem_wait(&room);
  pthread_rwlock_rdlock(&table);
  const long seen = EULASH_LOAD(*eulash_g_total);
  pthread_rwlock_unlock(&table);
  sem_post(&room);
  pthread_rwlock_wrlock(&table);
  EULASH_UPDATE(*result, +, seen);
  pthread_rwlock_unlock(&table);
  // In turn, the last first.
  pthread_mutex_lock(&lock);
  while (EULASH_LOAD(*eulash_g_waiting_for) != threads - 1 - me) pthread_cond_wait(&changed, &lock);
  EULASH_POST_INCREMENT(*eulash_g_waiting_for);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  // Until all are here.
  atomic_fetch_add(eulash_g_tickets, 1);
  while (atomic_load(eulash_g_tickets) % 2 != threads % 2 ||
         atomic_load(eulash_g_tickets) < 2 * threads * rounds + threads) {
    eulash_poll();
  }
  if (me % 2 == 0) pthread_exit((void*)(long)me);
  return (void*)(long)me;
}

static int check(const char* what, long is, long should) {
  if (is == should) return 0;
  eulash_printf("%s: %ld, and not %ld\n", what, is, should);
  return 1;
}

static int check_list(void) {
  int wrong = 0;
  long count = 0, sum = 0;
  for (struct node* n = EULASH_LOAD(*eulash_g_list); n != NULL; ++count) {
    sum += EULASH_LOAD(n->value);
    int me, round;
    wrong += check("sscanf", eulash_sscanf(n->name, "%d.%d", &me, &round), 2);
    wrong += check("value", EULASH_LOAD(n->value), (long)me * rounds + round);
    wrong += check("low", EULASH_LOAD_FIELD(*n, low), me & 7);
    wrong += check("high", EULASH_LOAD_FIELD(*n, high), round & 31);
    struct node* const next = EULASH_LOAD(n->next);
    eulash_free(n);
    n = next;
  }
  const long all_nodes = (long)threads * rounds;
  return wrong + check("nodes", count, all_nodes) + check("sum", sum, all_nodes * (all_nodes - 1) / 2);
}

int eulash_main(int argc, char** argv) {
  int wrong = 0;
  pthread_t thread[threads];
  long result[threads];
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &recursive);
  pthread_barrier_init(&all, NULL, threads);
  pthread_key_create(eulash_g_own, end_of_own);
  sem_init(&room, 0, 2);
  for (int t = 0; t < threads; ++t) {
    result[t] = t;
    pthread_create(&thread[t], NULL, work, &result[t]);
  }
  const long sum = 5 + rounds * (threads * (threads - 1) / 2);
  for (int t = 0; t < threads; ++t) {
    void* returned = NULL;
    wrong += check("join", pthread_join(thread[t], &returned), 0);
    wrong += check("returned", (long)returned, t);
    wrong += check("result", result[t], t + sum);
  }
  wrong += check("total", EULASH_LOAD(*eulash_g_total), sum);
  wrong += check("begun", EULASH_LOAD(*eulash_g_begun), 1);
  wrong += check("ended", EULASH_LOAD(*eulash_g_ended), threads * (threads + 1) / 2);
  wrong += check("arguments", argc, 1) + check("name", eulash_strlen(EULASH_LOAD(argv[0])) > 5, 1);
  wrong += check_list();
  if (wrong == 0) eulash_printf("right: %ld\n", sum);
  return wrong == 0 ? 0 : 1;
}
