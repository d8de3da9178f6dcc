#include <stdio.h>
#include <string.h>

int main(void) {
  char text[] = "one two";
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) puts(word);
}
