// Barnes and Hut's method in two dimensions: bodies are put into a tree of squares, each of which has a lock; the force
// of a far square is that of its mass in its centre.
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES 96
#define THREADS 3
#define STEPS 3

typedef struct { double x, y; } vector;
typedef struct body { vector at, speed, force; double mass; } body;
typedef enum { EMPTY, LEAF, INNER } kind;
typedef struct cell {
  pthread_mutex_t lock;
  kind is;
  vector corner;
  double size;
  union {
    struct cell* parts;  // four of them
    body* one;
  } has;
  double mass;
  vector centre;
} cell;

static body bodies[BODIES];
static cell root;
static pthread_barrier_t barrier;
static int next_body;
static pthread_mutex_t next_lock = PTHREAD_MUTEX_INITIALIZER;

static void make(cell* c, vector corner, double size) {
  pthread_mutex_init(&c->lock, NULL);
  c->is = EMPTY;
  c->corner = corner;
  c->size = size;
  c->mass = 0;
}

static cell* part_of(cell* c, const body* b) {
  const double half = c->size / 2;
  return &c->has.parts[(b->at.x >= c->corner.x + half) + 2 * (b->at.y >= c->corner.y + half)];
}

static void split(cell* c) {
  body* const had = c->has.one;
  cell* const parts = malloc(4 * sizeof *parts);
  const double half = c->size / 2;
  for (int i = 0; i < 4; i++)
    make(&parts[i], (vector){c->corner.x + (i % 2) * half, c->corner.y + (i / 2) * half}, half);
  c->has.parts = parts;
  c->is = INNER;
  cell* const to = part_of(c, had);
  to->is = LEAF;
  to->has.one = had;
}

// The lock of the cell is held.
static void insert(cell* c, body* b) {
  while (true) {
    if (c->is == EMPTY) {
      c->is = LEAF;
      c->has.one = b;
      break;
    }
    if (c->is == LEAF) split(c);
    cell* const next = part_of(c, b);
    pthread_mutex_lock(&next->lock);
    pthread_mutex_unlock(&c->lock);
    c = next;
  }
  pthread_mutex_unlock(&c->lock);
}

static void weigh(cell* c) {
  c->mass = 0;
  c->centre = (vector){0, 0};
  if (c->is == LEAF) {
    c->mass = c->has.one->mass;
    c->centre = c->has.one->at;
  } else if (c->is == INNER) {
    for (cell* p = c->has.parts; p != c->has.parts + 4; p++) {
      weigh(p);
      c->mass += p->mass;
      c->centre.x += p->mass * p->centre.x;
      c->centre.y += p->mass * p->centre.y;
    }
    c->centre.x /= c->mass;
    c->centre.y /= c->mass;
  }
}

static vector pull(const cell* c, const body* b) {
  if (c->is == EMPTY || (c->is == LEAF && c->has.one == b)) return (vector){0, 0};
  const double x = c->centre.x - b->at.x, y = c->centre.y - b->at.y, far = sqrt(x * x + y * y) + 0.01;
  if (c->is == LEAF || c->size < 0.5 * far) {
    const double f = c->mass * b->mass / (far * far * far);
    return (vector){f * x, f * y};
  }
  vector sum = {0, 0};
  for (int i = 0; i < 4; i++) {
    const vector v = pull(&c->has.parts[i], b);
    sum.x += v.x, sum.y += v.y;
  }
  return sum;
}

static void cut_down(cell* c) {
  if (c->is == INNER) {
    for (int i = 0; i < 4; i++) cut_down(&c->has.parts[i]);
    free(c->has.parts);
  }
  pthread_mutex_destroy(&c->lock);
}

static int take(void) {
  pthread_mutex_lock(&next_lock);
  const int mine = next_body < BODIES ? next_body++ : -1;
  pthread_mutex_unlock(&next_lock);
  return mine;
}

static void* move(void* argument) {
  const int me = (int)(size_t)argument;
  for (int step = 0; step < STEPS; step++) {
    if (me == 0) {
      make(&root, (vector){-8, -8}, 16);
      next_body = 0;
    }
    pthread_barrier_wait(&barrier);
    for (int i = me; i < BODIES; i += THREADS) {
      pthread_mutex_lock(&root.lock);
      insert(&root, &bodies[i]);
    }
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) weigh(&root);
    pthread_barrier_wait(&barrier);
    for (int i; (i = take()) >= 0;) bodies[i].force = pull(&root, &bodies[i]);
    pthread_barrier_wait(&barrier);
    for (body* b = bodies + me; b < bodies + BODIES; b += THREADS) {
      b->speed.x += 0.05 * b->force.x / b->mass;
      b->speed.y += 0.05 * b->force.y / b->mass;
      b->at.x += 0.05 * b->speed.x;
      b->at.y += 0.05 * b->speed.y;
    }
    pthread_barrier_wait(&barrier);
    if (me == 0) cut_down(&root);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  unsigned seed = 5;
  for (int i = 0; i < BODIES; i++) {
    seed = seed * 1103515245u + 12345;
    const double x = (seed >> 8) % 1000 / 250.0 - 2;
    seed = seed * 1103515245u + 12345;
    bodies[i] = (body){.at = {x, (seed >> 8) % 1000 / 250.0 - 2}, .mass = 1 + i % 3 / 4.0};
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, move, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  vector sum = {0, 0};
  for (int i = 0; i < BODIES; i++) sum.x += bodies[i].at.x * (i + 1), sum.y += bodies[i].at.y * (i + 1);
  printf("%.6f %.6f, the first at %.6f %.6f\n", sum.x, sum.y, bodies[0].at.x, bodies[0].at.y);
  return 0;
}
