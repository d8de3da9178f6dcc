// The C library on shared memory: a function f of the system's becomes eulash_f with the same arguments and result.
//
// Valid C and C++. Arguments that point into shared memory, or to another process's stack, are read and written there;
// what is private costs a comparison. Pointers that come back point into the argument, as the system's do. Functions
// that take no pointers, or none to data of the program, are not here: they stay the system's.
//
// A stream is opened and used at process 0: a FILE* names it there, and stdin, stdout and stderr are those of process
// 0. A call from another process is a message there and back; so lines come in the order that the program's own
// synchronisation gives them.
#ifndef TSUBU_EULASH_LIBC_H
#define TSUBU_EULASH_LIBC_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "tsubu/eulash/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- <string.h>
void* eulash_memcpy(void* to, const void* from, size_t n);
void* eulash_memmove(void* to, const void* from, size_t n);
void* eulash_memset(void* to, int byte, size_t n);
int eulash_memcmp(const void* a, const void* b, size_t n);
void* eulash_memchr(const void* in, int byte, size_t n);
size_t eulash_strlen(const char* text);
size_t eulash_strnlen(const char* text, size_t most);
char* eulash_strcpy(char* to, const char* from);
char* eulash_strncpy(char* to, const char* from, size_t n);
char* eulash_strcat(char* to, const char* from);
char* eulash_strncat(char* to, const char* from, size_t n);
int eulash_strcmp(const char* a, const char* b);
int eulash_strncmp(const char* a, const char* b, size_t n);
int eulash_strcasecmp(const char* a, const char* b);
int eulash_strncasecmp(const char* a, const char* b, size_t n);
char* eulash_strchr(const char* text, int c);
char* eulash_strrchr(const char* text, int c);
char* eulash_strstr(const char* text, const char* part);
char* eulash_strpbrk(const char* text, const char* any);
size_t eulash_strspn(const char* text, const char* of);
size_t eulash_strcspn(const char* text, const char* of);
char* eulash_strtok_r(char* text, const char* separators, char** rest);

// ---- <stdlib.h>. The functions that qsort and bsearch call get addresses of private copies of the elements.
void eulash_qsort(void* first, size_t count, size_t each, int (*order)(const void*, const void*));
void* eulash_bsearch(const void* key, const void* first, size_t count, size_t each,
                     int (*order)(const void*, const void*));
int eulash_atoi(const char* text);
long eulash_atol(const char* text);
long long eulash_atoll(const char* text);
double eulash_atof(const char* text);
long eulash_strtol(const char* text, char** end, int base);
unsigned long eulash_strtoul(const char* text, char** end, int base);
long long eulash_strtoll(const char* text, char** end, int base);
unsigned long long eulash_strtoull(const char* text, char** end, int base);
double eulash_strtod(const char* text, char** end);
// One sequence of each for the whole program, at process 0.
int eulash_rand(void);
void eulash_srand(unsigned seed);
long eulash_random(void);
void eulash_srandom(unsigned seed);
double eulash_drand48(void);
long eulash_lrand48(void);
long eulash_mrand48(void);
void eulash_srand48(long seed);
// <getopt.h>. What is in optarg is a part of one of the words, in shared memory as they are.
struct option;
int eulash_getopt(int count, char* const* words, const char* letters);
int eulash_getopt_long(int count, char* const* words, const char* letters, const struct option* names, int* which);
// Ends the job: its exit code is the argument's low 8 bits. What other threads do then is lost.
void eulash_exit(int code) __attribute__((noreturn));
void eulash_abort(void) __attribute__((noreturn));

// ---- <stdio.h>. The three streams that are there, by names that all processes know.
#define EULASH_STDIN ((FILE*)1)
#define EULASH_STDOUT ((FILE*)2)
#define EULASH_STDERR ((FILE*)3)
// A format that reads or writes through a pointer does so wherever that points.
int eulash_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int eulash_fprintf(FILE* to, const char* format, ...) __attribute__((format(printf, 2, 3)));
int eulash_sprintf(char* to, const char* format, ...) __attribute__((format(printf, 2, 3)));
int eulash_snprintf(char* to, size_t n, const char* format, ...) __attribute__((format(printf, 3, 4)));
int eulash_vprintf(const char* format, va_list arguments);
int eulash_vfprintf(FILE* to, const char* format, va_list arguments);
int eulash_vsnprintf(char* to, size_t n, const char* format, va_list arguments);
int eulash_puts(const char* text);
int eulash_putchar(int c);
int eulash_fputs(const char* text, FILE* to);
int eulash_fputc(int c, FILE* to);
int eulash_putc(int c, FILE* to);
void eulash_perror(const char* text);
int eulash_fflush(FILE* stream);  // null: all of process 0
int eulash_remove(const char* path);
int eulash_rename(const char* from, const char* to);
int eulash_unlink(const char* path);
FILE* eulash_fopen(const char* path, const char* mode);
int eulash_fclose(FILE* stream);
char* eulash_fgets(char* to, int n, FILE* from);
int eulash_fgetc(FILE* from);
int eulash_getc(FILE* from);
int eulash_getchar(void);
int eulash_ungetc(int c, FILE* stream);
ssize_t eulash_getline(char** line, size_t* room, FILE* from, const struct eulash_site* site);
size_t eulash_fread(void* to, size_t each, size_t count, FILE* from);
size_t eulash_fwrite(const void* from, size_t each, size_t count, FILE* to);
int eulash_fseek(FILE* stream, long offset, int whence);
long eulash_ftell(FILE* stream);
void eulash_rewind(FILE* stream);
int eulash_feof(FILE* stream);
int eulash_ferror(FILE* stream);
int eulash_scanf(const char* format, ...) __attribute__((format(scanf, 1, 2)));
int eulash_fscanf(FILE* from, const char* format, ...) __attribute__((format(scanf, 2, 3)));
int eulash_sscanf(const char* text, const char* format, ...) __attribute__((format(scanf, 2, 3)));

// ---- time: of the process that asks; of the simulated machine where there is one
time_t eulash_time(time_t* t);
int eulash_gettimeofday(struct timeval* now, void* zone);
int eulash_clock_gettime(clockid_t clock, struct timespec* now);
clock_t eulash_clock(void);

#ifdef __cplusplus
}
#endif
#endif
