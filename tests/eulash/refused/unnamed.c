#include <pthread.h>

struct counter {
  int n;
};
static struct counter *counter = &(struct counter){1};

static void *work(void *unused) {
  counter->n++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return counter->n;
}
