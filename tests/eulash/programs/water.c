// Molecules that attract each other, in pairs: a thread adds up the forces of its pairs, and then gives each molecule
// its sum under that molecule's lock. Positions are whole numbers, so that the order of the additions does not matter.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOLECULES 40
#define THREADS 4
#define STEPS 5

typedef struct {
  long x, y, z;
} vector;
typedef struct {
  vector at, speed, force;
  pthread_mutex_t lock;
} molecule;

static molecule* molecules;
static long energy;
static pthread_mutex_t energy_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t step_done;

static vector pull(const vector* a, const vector* b) {
  const vector d = {b->x - a->x, b->y - a->y, b->z - a->z};
  const long square = d.x * d.x + d.y * d.y + d.z * d.z + 1;
  return (vector){d.x * 100000 / square, d.y * 100000 / square, d.z * 100000 / square};
}

static void add_forces_of_pairs(int me, vector* sums) {
  memset(sums, 0, MOLECULES * sizeof *sums);
  for (int i = me; i < MOLECULES; i += THREADS)
    for (int j = i + 1; j < MOLECULES; j++) {
      const vector f = pull(&molecules[i].at, &molecules[j].at);
      sums[i].x += f.x, sums[i].y += f.y, sums[i].z += f.z;
      sums[j].x -= f.x, sums[j].y -= f.y, sums[j].z -= f.z;
    }
}

static void give_forces(const vector* sums) {
  for (int i = 0; i < MOLECULES; i++) {
    molecule* m = &molecules[i];
    pthread_mutex_lock(&m->lock);
    m->force.x += sums[i].x, m->force.y += sums[i].y, m->force.z += sums[i].z;
    pthread_mutex_unlock(&m->lock);
  }
}

static void move(int me) {
  long mine = 0;
  for (int i = me; i < MOLECULES; i += THREADS) {
    molecule* m = molecules + i;
    m->speed.x += m->force.x / 16, m->speed.y += m->force.y / 16, m->speed.z += m->force.z / 16;
    m->at.x += m->speed.x / 16, m->at.y += m->speed.y / 16, m->at.z += m->speed.z / 16;
    m->force = (vector){0, 0, 0};
    mine += m->speed.x * m->speed.x + m->speed.y * m->speed.y + m->speed.z * m->speed.z;
  }
  pthread_mutex_lock(&energy_lock);
  energy += mine;
  pthread_mutex_unlock(&energy_lock);
}

static void* simulate(void* argument) {
  const int me = (int)(long)argument;
  vector* sums = malloc(MOLECULES * sizeof *sums);
  for (int step = 0; step < STEPS; step++) {
    add_forces_of_pairs(me, sums);
    pthread_barrier_wait(&step_done);
    give_forces(sums);
    pthread_barrier_wait(&step_done);
    move(me);
    pthread_barrier_wait(&step_done);
  }
  free(sums);
  return NULL;
}

int main(void) {
  molecules = calloc(MOLECULES, sizeof *molecules);
  for (int i = 0; i < MOLECULES; i++) {
    molecules[i].at = (vector){i * 37 % 101 * 10, i * 53 % 97 * 10, i * 71 % 89 * 10};
    pthread_mutex_init(&molecules[i].lock, NULL);
  }
  pthread_barrier_init(&step_done, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, simulate, (void*)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  vector sum = {0, 0, 0};
  for (int i = 0; i < MOLECULES; i++) {
    sum.x += molecules[i].at.x, sum.y += molecules[i].at.y, sum.z += molecules[i].at.z;
    pthread_mutex_destroy(&molecules[i].lock);
  }
  printf("energy %ld, positions %ld %ld %ld\n", energy, sum.x, sum.y, sum.z);
  free(molecules);
  return 0;
}
