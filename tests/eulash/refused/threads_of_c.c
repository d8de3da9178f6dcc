// Threads of C11 have their own types, which the runtime does not know.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static int count;

static int work(void* unused) {
  mtx_lock(&lock);
  count++;
  mtx_unlock(&lock);
  return unused != NULL;
}

int main(void) {
  thrd_t one;
  mtx_init(&lock, mtx_plain);
  thrd_create(&one, work, NULL);
  thrd_join(one, NULL);
  printf("%d\n", count);
  return 0;
}
