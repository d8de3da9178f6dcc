// Descriptors and mapped memory are one process's own.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static char* shared;
static int done[2];

static void* work(void* unused) {
  shared[0] = 1;
  write(done[1], "x", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  const int file = open("/dev/zero", O_RDWR);
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, done)) return 1;
  pthread_create(&thread, NULL, work, NULL);
  read(done[0], &byte, 1);
  munmap(shared, 4096);
  return 0;
}
