// A pool of threads for jobs: function pointers, values of a thread's own, semaphores, spin locks, a queue on the heap.
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*job_fn)(void*);
struct job {
  job_fn run;
  void* arg;
  struct job* next;
};
static struct {
  pthread_mutex_t lock;
  pthread_cond_t some, done;
  struct job *head, **tail;
  int pending, stop;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .some = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
static pthread_key_t key;
static sem_t ended;
static long histogram[10];
static pthread_spinlock_t spin;

static void submit(job_fn run, void* arg) {
  struct job* j = malloc(sizeof *j);
  *j = (struct job){run, arg, NULL};
  pthread_mutex_lock(&pool.lock);
  *pool.tail = j;
  pool.tail = &j->next;
  pool.pending++;
  pthread_cond_signal(&pool.some);
  pthread_mutex_unlock(&pool.lock);
}
static void* worker(void* unused) {
  (void)unused;
  long* mine = calloc(1, sizeof *mine);
  pthread_setspecific(key, mine);
  for (;;) {
    pthread_mutex_lock(&pool.lock);
    while (!pool.head && !pool.stop) pthread_cond_wait(&pool.some, &pool.lock);
    struct job* j = pool.head;
    if (!j) {
      pthread_mutex_unlock(&pool.lock);
      break;
    }
    pool.head = j->next;
    if (!pool.head) pool.tail = &pool.head;
    pthread_mutex_unlock(&pool.lock);
    j->run(j->arg);
    ++*(long*)pthread_getspecific(key);
    free(j);
    pthread_mutex_lock(&pool.lock);
    if (--pool.pending == 0) pthread_cond_broadcast(&pool.done);
    pthread_mutex_unlock(&pool.lock);
  }
  long n = *mine;
  free(mine);
  sem_post(&ended);
  pthread_exit((void*)n);
}
static void count(void* arg) {
  const char* text = arg;
  for (const char* p = text; *p; p++) {
    pthread_spin_lock(&spin);
    histogram[*p % 10]++;
    pthread_spin_unlock(&spin);
  }
}
static void prime(void* arg) {
  int *n = arg, k = 0;
  for (int i = 2; i <= *n; i++) {
    int is = 1;
    for (int d = 2; d <= (int)sqrt(i); d++)
      if (i % d == 0) {
        is = 0;
        break;
      }
    k += is;
  }
  *n = k;
}
int main(void) {
  pool.tail = &pool.head;
  pthread_key_create(&key, NULL);
  sem_init(&ended, 0, 0);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_t t[4];
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 1 << 20);
  for (int i = 0; i < 4; i++) pthread_create(&t[i], &attr, worker, NULL);
  pthread_attr_destroy(&attr);
  int numbers[6];
  char* texts[6];
  for (int i = 0; i < 6; i++) {
    numbers[i] = 100 * (i + 1);
    texts[i] = malloc(20);
    sprintf(texts[i], "text number %d", i);
    submit(count, texts[i]);
    submit(prime, &numbers[i]);
  }
  pthread_mutex_lock(&pool.lock);
  while (pool.pending) pthread_cond_wait(&pool.done, &pool.lock);
  pool.stop = 1;
  pthread_cond_broadcast(&pool.some);
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < 4; i++) sem_wait(&ended);
  long jobs = 0;
  for (int i = 0; i < 4; i++) {
    void* n;
    pthread_join(t[i], &n);
    jobs += (long)n;
  }
  usleep(100);
  printf("%ld jobs\n", jobs);
  for (int i = 0; i < 10; i++) printf("%ld ", histogram[i]);
  for (int i = 0; i < 6; i++) {
    printf("%d ", numbers[i]);
    free(texts[i]);
  }
  putchar('\n');
  return 0;
}
