#if __has_builtin(__builtin_clear_padding)
static int number = 1;
#else
static int number = 2;
#endif

int main(void) { return number; }
