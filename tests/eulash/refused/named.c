// What has a name in the system is known to processes of one computer only.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>

static void* work(void* done) {
  sem_post(done);
  return NULL;
}

int main(void) {
  pthread_t thread;
  sem_t* const done = sem_open("/done", O_CREAT, 0600, 0);
  const int memory = shm_open("/memory", O_RDWR, 0600);
  FILE* const other = popen("date", "r");
  pthread_create(&thread, NULL, work, done);
  sem_wait(done);
  sem_close(done);
  sem_unlink("/done");
  return memory + (other != NULL);
}
