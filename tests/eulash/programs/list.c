// A sorted list on the heap that threads insert into and remove from; its nodes are freed by whoever removes them.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key;
  struct node* next;
};

static struct node* head;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void insert(int key) {
  struct node* made = malloc(sizeof(struct node));
  made->key = key;
  pthread_rwlock_wrlock(&lock);
  struct node** at = &head;
  while (*at != NULL && (*at)->key < key) at = &(*at)->next;
  made->next = *at;
  *at = made;
  pthread_rwlock_unlock(&lock);
}

static void discard(int key) {
  pthread_rwlock_wrlock(&lock);
  for (struct node** at = &head; *at; at = &(*at)->next) {
    if ((*at)->key == key) {
      struct node* gone = *at;
      *at = gone->next;
      free(gone);
      break;
    }
  }
  pthread_rwlock_unlock(&lock);
}

static int contains(int key) {
  int found = 0;
  pthread_rwlock_rdlock(&lock);
  for (const struct node* n = head; n && !found; n = n->next) found = n->key == key;
  pthread_rwlock_unlock(&lock);
  return found;
}

static void* work(void* argument) {
  const int thread = (int)(size_t)argument;
  long missing = 0;
  for (int i = 0; i < 12; i++) insert(4 * i + thread);
  for (int i = 0; i < 12; i++) missing += !contains(4 * i + thread);
  for (int i = 0; i < 12; i += 2) discard(4 * i + thread);
  return (void*)missing;
}

int main(void) {
  pthread_t threads[4];
  for (size_t t = 0; t < 4; t++) pthread_create(&threads[t], NULL, work, (void*)t);
  for (int t = 0; t < 4; t++) {
    void* missing;
    pthread_join(threads[t], &missing);
    if (missing != NULL) printf("thread %d missed %ld\n", t, (long)missing);
  }
  int n = 0;
  long sum = 0;
  for (struct node* at = head; at != NULL;) {
    struct node* next = at->next;
    n++;
    sum = 31 * sum % 1000003 + at->key;
    free(at);
    at = next;
  }
  printf("%d nodes, %ld\n", n, sum);
  return 0;
}
