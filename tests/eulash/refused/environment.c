#include <stdlib.h>

int main(void) { return setenv("HOME", "/", 1); }
