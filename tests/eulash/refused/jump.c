#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void *work(void *unused) {
  (void)unused;
  if (setjmp(back) == 0) longjmp(back, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("done");
}
