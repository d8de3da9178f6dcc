// The words of a command line by getopt(), sorted words, and streams in structs.
#include <ctype.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int threads = 3, verbose, loud;
static char* size;
static char* name = "default";
struct sink {
  FILE* to;
  int lines;
  pthread_mutex_t m;
};
static struct sink* sinks;
static int order = 1;
static char words[64][16];
static int nwords;
static char** index_;
static int by_word(const void* a, const void* b) {
  const char *const *x = a, *const *y = b;
  return order * strcmp(*x, *y);
}
static int by_int(const void* a, const void* b) {
  int x = *(const int*)a, y = *(const int*)b;
  return order * ((x > y) - (x < y));
}
static void* work(void* p) {
  int k = (int)(long)p;
  int v[20];
  for (int i = 0; i < 20; i++) v[i] = (i * 7 + k) % 20;
  qsort(v, 20, sizeof v[0], by_int);
  int key = 5, *f = bsearch(&key, v, 20, sizeof v[0], by_int);
  struct sink* s = &sinks[0];
  pthread_mutex_lock(&s->m);
  s->lines++;
  pthread_mutex_unlock(&s->m);
  char upper[16];
  int i = 0;
  for (const char* c = index_[k]; *c && i < 15; c++) upper[i++] = toupper((unsigned char)*c);
  upper[i] = 0;
  pthread_mutex_lock(&s->m);
  char* t = words[k + 10];
  snprintf(t, 16, "%.3s%d", upper, f ? *f & 15 : -1);
  pthread_mutex_unlock(&s->m);
  return 0;
}
int main(int argc, char** argv) {
  char given[] = "-n";
  char* words_given[] = {"options", "more", "-vt", "4", given, "name", "--loud", "--size=12", "rest", NULL};
  const struct option names[] = {{"loud", no_argument, &loud, 7}, {"size", required_argument, NULL, 's'}, {0}};
  for (int c; (c = getopt_long(9, words_given, "t:vn:", names, NULL)) != -1;) switch (c) {
      case 't':
        threads = atoi(optarg);
        break;
      case 'v':
        verbose++;
        break;
      case 'n':
        name = optarg;
        break;
      case 's':
        size = optarg;
        break;
      case 0:
        break;
      default:
        return 2;
    }
  printf("%d: %s %s\n", optind, words_given[optind], words_given[optind + 1]);
  optind = 1;
  if (getopt(argc, argv, "x") != -1) return 3;
  sinks = calloc(1, sizeof *sinks);
  sinks->to = stdout;
  pthread_mutex_init(&sinks->m, 0);
  char text[] = "the quick brown fox jumps over the lazy dog";
  char *save, *w;
  for (w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) strcpy(words[nwords++], w);
  index_ = malloc(nwords * sizeof *index_);
  for (int i = 0; i < nwords; i++) index_[i] = words[i];
  qsort(index_, nwords, sizeof *index_, by_word);
  pthread_t t[8];
  for (long k = 0; k < threads; k++) pthread_create(&t[k], 0, work, (void*)k);
  for (int k = 0; k < threads; k++) pthread_join(t[k], 0);
  for (int k = 0; k < threads; k++) fprintf(sinks->to, "%s %s\n", index_[k], words[k + 10]);
  fprintf(sinks->to, "%d %s %d %d %s\n", sinks->lines, name, verbose, loud, size);
  return 0;
}
