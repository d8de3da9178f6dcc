#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t stopped;

static void stop(int number) { stopped = number; }

int main(void) {
  signal(SIGINT, stop);
  while (!stopped) continue;
  puts("stopped");
}
