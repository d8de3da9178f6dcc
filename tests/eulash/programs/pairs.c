// Each two players throw a ball to each other; pairs have nothing in common.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 2, THROWS = 20 };
struct game {
  pthread_mutex_t lock;
  pthread_cond_t thrown;
  int turn, throws;
  long spin;
};
struct player {
  struct game* game;
  int side;
};

static void* play(void* argument) {
  const struct player me = *(const struct player*)argument;
  struct game* const g = me.game;
  for (int i = 0; i < THROWS; i++) {
    pthread_mutex_lock(&g->lock);
    while (g->turn != me.side) pthread_cond_wait(&g->thrown, &g->lock);
    g->spin = (g->spin * 3 + me.side + 1) % 1009;
    g->throws++;
    g->turn = !me.side;
    pthread_cond_signal(&g->thrown);
    pthread_mutex_unlock(&g->lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[PAIRS][2];
  struct player players[PAIRS][2];
  struct game* games[PAIRS];
  for (int i = 0; i < PAIRS; i++) {
    games[i] = calloc(1, sizeof *games[i]);
    pthread_mutex_init(&games[i]->lock, NULL);
    pthread_cond_init(&games[i]->thrown, NULL);
    games[i]->spin = i;
    for (int side = 0; side < 2; side++) {
      players[i][side] = (struct player){games[i], side};
      pthread_create(&threads[i][side], NULL, play, &players[i][side]);
    }
  }
  for (int i = 0; i < PAIRS; i++) {
    for (int side = 0; side < 2; side++) pthread_join(threads[i][side], NULL);
    printf("%d throws, spin %ld\n", games[i]->throws, games[i]->spin);
    free(games[i]);
  }
  return 0;
}
