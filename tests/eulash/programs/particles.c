// Particles in a wind tunnel of cells: each thread moves its own, and counts them in the cell where they arrive, under
// the cell's lock; who meets another in a cell is turned round.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 16
#define PARTICLES 120
#define THREADS 3
#define STEPS 20

struct particle {
  int at, speed;  // in sixteenths of a cell
};
static struct cell {
  pthread_mutex_t lock;
  int here, before;
  long visits;
} tunnel[CELLS];
static struct particle* particles[THREADS];
static pthread_barrier_t moved;

static void move(struct particle* p) {
  p->at += p->speed;
  if (p->at < 0) p->at = -p->at, p->speed = -p->speed;
  if (p->at >= CELLS * 16) p->at -= CELLS * 16;
  struct cell* c = &tunnel[p->at / 16];
  pthread_mutex_lock(&c->lock);
  c->here++;
  c->visits += p->speed > 0 ? p->speed : -p->speed;
  pthread_mutex_unlock(&c->lock);
}

static void* fly(void* argument) {
  const int me = (int)(long)argument;
  struct particle* const mine = particles[me];
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < PARTICLES / THREADS; i++) move(&mine[i]);
    pthread_barrier_wait(&moved);
    for (int c = me; c < CELLS; c += THREADS) {
      tunnel[c].before = tunnel[c].here;
      tunnel[c].here = 0;
    }
    pthread_barrier_wait(&moved);
    for (int i = 0; i < PARTICLES / THREADS; i++)
      if (tunnel[mine[i].at / 16].before > 8) mine[i].speed = -mine[i].speed;
    pthread_barrier_wait(&moved);
  }
  return NULL;
}

int main(void) {
  for (int c = 0; c < CELLS; c++) pthread_mutex_init(&tunnel[c].lock, NULL);
  for (int t = 0; t < THREADS; t++) {
    particles[t] = malloc(PARTICLES / THREADS * sizeof(struct particle));
    for (int i = 0; i < PARTICLES / THREADS; i++)
      particles[t][i] = (struct particle){(i * 29 + t * 71) % (CELLS * 16), 3 + (i * 5 + t) % 11};
  }
  pthread_barrier_init(&moved, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, fly, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (int c = 0; c < CELLS; c++) printf("%ld%c", tunnel[c].visits, c == CELLS - 1 ? '\n' : ' ');
  for (int t = 0; t < THREADS; t++) free(particles[t]);
  return 0;
}
