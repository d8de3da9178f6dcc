// Five philosophers; each takes the fork with the lower number first.
#include <pthread.h>
#include <stdio.h>

enum { PHILOSOPHERS = 5, MEALS = 20 };

static pthread_mutex_t forks[PHILOSOPHERS];
static int eaten[PHILOSOPHERS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tables_laid;

static void lay_table(void) {
  for (int i = 0; i < PHILOSOPHERS; ++i) pthread_mutex_init(&forks[i], NULL);
  tables_laid++;
}

static void* dine(void* argument) {
  const int me = *(const int*)argument, right = (me + 1) % PHILOSOPHERS;
  pthread_mutex_t *lower = &forks[me < right ? me : right], *higher = &forks[me < right ? right : me];
  pthread_once(&once, lay_table);
  for (int meal = 0; meal < MEALS; ++meal) {
    pthread_mutex_lock(lower);
    pthread_mutex_lock(higher);
    ++eaten[me];
    pthread_mutex_unlock(higher);
    pthread_mutex_unlock(lower);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  static int numbers[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, dine, &numbers[i]);
  }
  for (int i = 0; i < PHILOSOPHERS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; ++i) printf("%d has eaten %d times\n", i, eaten[i]);
  printf("the table was laid %d time\n", tables_laid);
  return 0;
}
