// Promise: the C library works on shared memory as on any: texts, arrays, formats, numbers, files and the standard
// streams, also from processes that do not have them; what threads print in turn comes in that order.
#include "tsubu/eulash/program.h"

static int turn;
static __typeof__(turn)* eulash_g_turn;
EULASH_GLOBAL(turn, "turn", EULASH_INVALIDATE, 0, 0, NULL);
static char path[64];
static __typeof__(path)* eulash_g_path;
EULASH_GLOBAL(path, "path", EULASH_INVALIDATE, 0, 0, NULL);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int wrong;
static __typeof__(wrong)* eulash_g_wrong;
EULASH_GLOBAL(wrong, "wrong", EULASH_INVALIDATE, 0, 0, NULL);

static void expect(int holds, const char* what) {
  if (holds) return;
  EULASH_ATOMIC_FETCH(add, *eulash_g_wrong, 1);
  eulash_fprintf(stderr, "wrong: %s\n", what);
}

static int by_value(const void* a, const void* b) {
  const long x = *(const long*)a, y = *(const long*)b;
  return (x > y) - (x < y);
}

static void texts(char* t) {
  eulash_strcpy(t, "one two,three");
  expect(eulash_strlen(t) == 13 && eulash_strnlen(t, 5) == 5, "strlen");
  expect(eulash_strchr(t, 't') == t + 4 && eulash_strrchr(t, 't') == t + 8, "strchr");
  expect(eulash_strstr(t, "two") == t + 4 && eulash_strstr(t, "four") == NULL, "strstr");
  expect(eulash_strspn(t, "eno") == 3 && eulash_strcspn(t, ",") == 7 && eulash_strpbrk(t, ",w") == t + 5, "strspn");
  expect(eulash_strcmp(t, "one two,three") == 0 && eulash_strncmp(t, "one four", 4) == 0, "strcmp");
  expect(eulash_strcasecmp(t, "ONE TWO,THREE") == 0, "strcasecmp");
  char* rest = NULL;
  char* word = eulash_strtok_r(t, " ,", &rest);
  expect(word == t && eulash_strcmp(word, "one") == 0, "strtok_r 1");
  word = eulash_strtok_r(NULL, " ,", &rest);
  expect(word == t + 4 && eulash_strcmp(word, "two") == 0, "strtok_r 2");
  word = eulash_strtok_r(NULL, " ,", &rest);
  expect(word == t + 8 && eulash_strtok_r(NULL, " ,", &rest) == NULL, "strtok_r 3");
  eulash_strncpy(t, "ab", 5);
  eulash_strcat(t, "cd");
  eulash_strncat(t, "efgh", 2);
  expect(eulash_memcmp(t, "abcdef", 7) == 0 && eulash_memchr(t, 'e', 7) == t + 4, "strncat");
  eulash_memmove(t + 2, t, 7);
  expect(eulash_strcmp(t, "ababcdef") == 0, "memmove");
  char* const copy = eulash_strdup(t, EULASH_SITE("copy", EULASH_INVALIDATE, 0));
  eulash_memset(t, 'z', 3);
  expect(eulash_strcmp(t, "zzzbcdef") == 0 && eulash_strcmp(copy, "ababcdef") == 0, "strdup");
  eulash_free(copy);
}

static void numbers(char* t) {
  int n = 0, i = 0;
  double d = 0;
  long l = 0;
  char word[20], c = 0;
  eulash_sprintf(t, "%5d|%-6s|%.3f|%#lx|%c%%%s|%zu%n", 42, "ab", 2.5, 255L, 'x', t + 40, sizeof i, &n);
  expect(eulash_strcmp(t, "   42|ab    |2.500|0xff|x%|4") == 0 && n == 28, "sprintf");
  expect(eulash_snprintf(t, 4, "%s", "longer") == 6 && eulash_strcmp(t, "lon") == 0, "snprintf");
  eulash_snprintf(t, 60, "%*d %.*s", 4, 7, 2, "xyz");
  expect(eulash_strcmp(t, "   7 xy") == 0, "printf with stars");
  eulash_strcpy(t, "17 2.25 word -9 q rest");
  expect(eulash_sscanf(t, "%d %lf %19s %ld %c%n", &i, &d, word, &l, &c, &n) == 5, "sscanf");
  expect(i == 17 && d == 2.25 && eulash_strcmp(word, "word") == 0 && l == -9 && c == 'q' && n == 17, "sscanf's values");
  expect(eulash_sscanf(t, "%d %d", &i, &n) == 2 && n == 2 && eulash_sscanf("", "%d", &i) == EOF, "sscanf's end");
  eulash_strcpy(t, "12abc");
  char* end = NULL;
  expect(eulash_strtol(t, &end, 10) == 12 && end == t + 2 && eulash_strtoul(t, NULL, 16) == 0x12abc, "strtol");
  expect(eulash_atoi(t) == 12 && eulash_atof("2.5") == 2.5 && eulash_strtod("1e3x", &end) == 1000.0, "atoi");
  long* const many = eulash_malloc(1000 * sizeof *many, EULASH_SITE("many", EULASH_INVALIDATE, 256));
  for (long k = 0; k < 1000; ++k) EULASH_STORE(many[k], k * 7919 % 1000);
  eulash_qsort(many, 1000, sizeof *many, by_value);
  const long key = 500;
  expect(EULASH_LOAD(many[0]) == 0 && EULASH_LOAD(many[999]) == 999, "qsort");
  expect(eulash_bsearch(&key, many, 1000, sizeof *many, by_value) == many + 500, "bsearch");
  long* const more = eulash_realloc(many, 2000 * sizeof *many, EULASH_SITE("more", EULASH_INVALIDATE, 0));
  expect(EULASH_LOAD(more[123]) == 123, "realloc");
  eulash_free(more);
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  char* const t = eulash_calloc(1, 100, EULASH_SITE("text", EULASH_INVALIDATE, 0));
  texts(t);
  numbers(t);
  pthread_mutex_lock(&lock);
  while (EULASH_LOAD(*eulash_g_turn) != me) pthread_cond_wait(&next, &lock);
  eulash_printf("thread %d\n", me);
  FILE* const file = eulash_fopen(*eulash_g_path, me == 0 ? "w" : "a");
  expect(file != NULL, "fopen");
  expect(eulash_fprintf(file, "line %d\n", me) == 7 && eulash_fclose(file) == 0, "fprintf");
  EULASH_POST_INCREMENT(*eulash_g_turn);
  pthread_cond_broadcast(&next);
  pthread_mutex_unlock(&lock);
  eulash_free(t);
  return NULL;
}

static void* read_back(void* argument) {
  char* const t = eulash_malloc(100, EULASH_SITE("read", EULASH_INVALIDATE, 0));
  FILE* const file = eulash_fopen(*eulash_g_path, "r");
  int n = -1, m = -1;
  expect(eulash_fscanf(file, "line %d", &n) == 1 && n == 0 && eulash_fgetc(file) == '\n', "fscanf");
  expect(eulash_fgets(t, 100, file) == t && eulash_strcmp(t, "line 1\n") == 0, "fgets");
  expect(eulash_fread(t, 1, 4, file) == 4 && eulash_memcmp(t, "line", 4) == 0, "fread");
  expect(eulash_ungetc('7', file) == '7' && eulash_fscanf(file, "%d", &m) == 1 && m == 7, "ungetc");
  const long at = eulash_ftell(file);
  char* line = NULL;
  size_t has = 0;
  expect(eulash_getline(&line, &has, file, EULASH_SITE("line", EULASH_INVALIDATE, 0)) == 3, "getline");
  expect(eulash_fseek(file, at, SEEK_SET) == 0 && eulash_fgetc(file) == ' ', "fseek");
  while (eulash_fgets(t, 100, file) != NULL) continue;
  expect(eulash_feof(file) && !eulash_ferror(file) && eulash_fclose(file) == 0, "feof");
  expect(eulash_fopen("/nowhere/at/all", "r") == NULL, "fopen of nothing");
  eulash_free(line);
  eulash_free(t);
  return argument;
}

int eulash_main(void) {
  enum { threads = 4 };
  pthread_t thread[threads], reader;
  eulash_snprintf(*eulash_g_path, sizeof *eulash_g_path, "/tmp/placed_files.%d", (int)getpid());
  for (long t = 0; t < threads; ++t) pthread_create(&thread[t], NULL, work, (void*)t);
  for (int t = 0; t < threads; ++t) pthread_join(thread[t], NULL);
  pthread_create(&reader, NULL, read_back, NULL);
  pthread_join(reader, NULL);
  char name[64];
  eulash_strcpy(name, *eulash_g_path);
  remove(name);
  eulash_puts(EULASH_LOAD(*eulash_g_wrong) == 0 ? "right" : "wrong");
  return EULASH_LOAD(*eulash_g_wrong);
}
