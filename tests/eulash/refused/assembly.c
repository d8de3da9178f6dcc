#include <pthread.h>

static int lock;

static void *work(void *unused) {
  int taken = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(taken), "+m"(lock) : : "memory");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}
