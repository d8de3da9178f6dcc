#include <pthread.h>
#include <sys/select.h>

static fd_set ready;

static void *work(void *unused) {
  FD_SET(1, &ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  FD_ZERO(&ready);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return FD_ISSET(1, &ready) ? 0 : 1;
}
