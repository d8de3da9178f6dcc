// Accounts with a lock each, transfers between them, function pointers for what clerks do, and a struct that is copied.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 8
#define CLERKS 4

struct account {
  pthread_mutex_t lock;
  struct state {
    long balance;
    int transfers;
  } state;
};

static struct account* accounts;
typedef long (*amount_of)(long balance, int round);

static long a_tenth(long balance, int round) { return balance / 10 + round % 3; }
static long a_few(long balance, int round) { return balance > round ? round : 0; }
static const amount_of habits[] = {a_tenth, a_few};

static void transfer(struct account* from, struct account* to, amount_of amount, int round) {
  struct account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  struct state source = from->state;
  const long moved = amount(source.balance, round);
  source.balance -= moved;
  source.transfers++;
  from->state = source;
  to->state.balance += moved;
  to->state.transfers += 1;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void* serve(void* argument) {
  const int clerk = (int)(long)argument;
  for (int round = 0; round < 40; round++) {
    const int from = (clerk * 3 + round) % ACCOUNTS, to = (from + 1 + clerk) % ACCOUNTS;
    transfer(&accounts[from], &accounts[to], habits[clerk % 2], round);
  }
  return NULL;
}

int main(void) {
  accounts = calloc(ACCOUNTS, sizeof *accounts);
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&accounts[i].lock, NULL);
    accounts[i].state.balance = 1000;
  }
  pthread_t clerks[CLERKS];
  for (long c = 0; c < CLERKS; c++) pthread_create(&clerks[c], NULL, serve, (void*)c);
  for (int c = 0; c < CLERKS; c++) pthread_join(clerks[c], NULL);
  long sum = 0;
  int transfers = 0;
  for (struct account* a = accounts; a != accounts + ACCOUNTS; ++a) {
    sum += a->state.balance;
    transfers += a->state.transfers;
    pthread_mutex_destroy(&a->lock);
  }
  printf("%ld in all accounts after %d entries\n", sum, transfers);
  free(accounts);
  return 0;
}
