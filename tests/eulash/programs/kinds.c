// Atomic values of each kind: structs, floating, small, pointers; and all that is done with them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct small {
  int a;
  short b, c;
};
static _Atomic(struct small) st;
static _Atomic double dsum;
static _Atomic float fsum;
static atomic_int count = 3;
static atomic_bool flag;
static atomic_uchar uc;
static _Atomic unsigned short us;
static atomic_llong ll;
static _Atomic(int*) cursor;
static int data[64];
#define TAKE(number) atomic_fetch_add(&(number), 1)
static atomic_int taken;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static int guarded;
struct node {
  int v;
  struct node* next;
};
static _Atomic(struct node*) head;
static struct node* head2;
static long plain;
static char bytes[8];
static void push(int v) {
  struct node* n = malloc(sizeof *n);
  n->v = v;
  n->next = atomic_load(&head);
  while (!atomic_compare_exchange_weak(&head, &n->next, n)) {
  }
}
static void push2(int v) {
  struct node* n = malloc(sizeof *n);
  n->v = v;
  struct node* old = NULL;
  do {
    n->next = old;
  } while (!__atomic_compare_exchange(&head2, &old, &n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
static void* work(void* arg) {
  int k = (int)(intptr_t)arg;
  for (int i = 0; i < 10; i++) {
    count++;
    --count;
    count += 2;
    count -= 1;
    count |= 0;
    uc += 3;
    TAKE(taken);
    us ^= 1;
    ll += k;
    int* mine = cursor++;
    *mine = 1;
    double old = atomic_load(&dsum);
    while (!atomic_compare_exchange_strong(&dsum, &old, old + 0.5)) {
    }
    float fo = fsum;
    while (!atomic_compare_exchange_weak_explicit(&fsum, &fo, fo + 2, memory_order_acq_rel, memory_order_relaxed)) {
    }
    struct small s = atomic_load(&st), t;
    do {
      t = s;
      t.a++;
      t.b += 2;
      t.c = 7;
    } while (!atomic_compare_exchange_weak(&st, &s, t));
    while (atomic_flag_test_and_set_explicit(&spin, memory_order_acquire)) {
    }
    guarded++;
    atomic_flag_clear(&spin);
    push(k * 10 + i);
    push2(k * 10 + i);
    __sync_fetch_and_add(&plain, 5);
    __atomic_add_fetch(&plain, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&bytes[k], 2, __ATOMIC_SEQ_CST);
    long r;
    __atomic_load(&plain, &r, __ATOMIC_SEQ_CST);
    if (r < 6) abort();
    switch (i) {
      case 3:
        count += 1;
        break;
      default:
        count += 0;
    }
    if (k == 0 && i == 5) flag = true;
  }
  return 0;
}
int main(void) {
  atomic_init(&cursor, data);
  pthread_t t[4];
  for (intptr_t k = 0; k < 4; k++) pthread_create(&t[k], 0, work, (void*)k);
  while (!flag) {
  }
  for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
  int n = 0, n2 = 0, s = 0;
  for (struct node* p = head; p; p = p->next) n++, s += p->v;
  for (struct node* p = head2; p; p = p->next) n2++, s += p->v;
  int d = 0;
  for (int i = 0; i < 64; i++) d += data[i];
  struct small e = st;
  int old = count++ + taken;
  int old2 = ++count;
  printf("%d %d %g %g %d %d %lld %d %d %d %d %ld %d%d%d%d %d %d %d %d %d %d\n", count, flag, dsum, fsum, uc, us, ll, d,
         n, n2, s, plain, bytes[0], bytes[1], bytes[2], bytes[3], e.a, e.b, e.c, guarded, old, old2);
  return 0;
}
