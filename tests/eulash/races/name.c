// A text is copied to where another thread measures it; the join comes too late.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[32] = "nobody";

static void* call(void* to) {
  strcpy(name, to);  // races
  return NULL;
}

int main(void) {
  pthread_t caller;
  static char everybody[] = "everybody";
  pthread_create(&caller, NULL, call, everybody);
  const size_t length = strlen(name);  // races
  pthread_join(caller, NULL);
  printf("%zu\n", length);
  return 0;
}
