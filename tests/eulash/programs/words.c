// Counts the words of a file: main writes and reads it, threads count in parts of the text.
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3

static char* text;
static size_t length;
static int words[THREADS], longest[THREADS];

static void* count(void* argument) {
  int part = *(int*)argument;
  size_t from = part * length / THREADS, to = (part + 1) * length / THREADS;
  if (from > 0)
    while (from < length && !isspace((unsigned char)text[from - 1])) from++;
  for (size_t i = from; i < length && (i < to || !isspace((unsigned char)text[i]));) {
    while (i < length && isspace((unsigned char)text[i])) i++;
    if (i >= length || i >= to) break;
    int letters = 0;
    for (; i < length && !isspace((unsigned char)text[i]); i++) letters++;
    words[part]++;
    if (letters > longest[part]) longest[part] = letters;
  }
  return NULL;
}

int main(void) {
  FILE* file = fopen("words.txt", "w+");
  if (file == NULL) {
    fprintf(stderr, "no file\n");
    return 1;
  }
  for (int i = 0; i < 200; i++) fprintf(file, "%d%s %s\n", i, i % 3 ? " apple" : "", i % 7 ? "pear" : "pomegranate");
  length = (size_t)ftell(file);
  rewind(file);
  text = malloc(length + 1);
  if (fread(text, 1, length, file) != length) return 2;
  text[length] = 0;
  fclose(file);
  remove("words.txt");
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, count, numbers + i);
  }
  int all = 0, most = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    all += words[i];
    if (longest[i] > most) most = longest[i];
  }
  printf("%d words, the longest has %d letters, %zu characters\n", all, most, strlen(text));
  free(text);
  return 0;
}
