#include <stdio.h>

int main(void) { return fileno(stdout); }
