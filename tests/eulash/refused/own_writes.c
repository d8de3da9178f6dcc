#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct tm day;
static char line[64];

static void *work(void *unused) {
  time_t now = time(NULL);
  localtime_r(&now, &day);
  write(1, line, strftime(line, sizeof line, "%F\n", &day));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return day.tm_mon == 13;
}
