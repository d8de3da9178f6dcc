// What a placed program includes beside program.h if it is built to be searched for data races: each access to what may
// be shared is told to the runtime first, with its line (races.hpp).
//
// The macros of the other headers expand to the names below where the program uses them, so they need not know. Not
// told are bit-fields that are read, of which nobody says which bytes they are, and sizes of parameters.
#ifndef TSUBU_EULASH_RACES_H
#define TSUBU_EULASH_RACES_H

#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/memory.h"
#include "tsubu/eulash/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

// By it the runtime knows such a program.
extern const char eulash_tells_accesses __attribute__((weak));
const char eulash_tells_accesses = 1;

// The thread that runs is about to access n bytes at p.
void eulash_tell_access(const void* p, size_t n, int writes, eulash_line where);
// The functions of the library that it calls next access memory at this line.
void eulash_tell_line(eulash_line where);

static inline const void* eulash_read_told(const void* p, size_t n, eulash_line where) {
  eulash_tell_access(p, n, 0, where);
  return eulash_read(p, n);
}
static inline void* eulash_write_here_told(void* p, size_t n, eulash_line where) {
  eulash_tell_access(p, n, 1, where);
  return eulash_write_here(p, n);
}

#ifdef __cplusplus
}
#endif

#define eulash_read(p, n) eulash_read_told((p), (n), EULASH_HERE)
#define eulash_write_here(p, n) eulash_write_here_told((p), (n), EULASH_HERE)

#define EULASH_TOLD_(call) (eulash_tell_line(EULASH_HERE), call)
#define eulash_store_changed(...) EULASH_TOLD_(eulash_store_changed(__VA_ARGS__))
#define eulash_atomic(...) EULASH_TOLD_(eulash_atomic(__VA_ARGS__))
#define eulash_compare_exchange(...) EULASH_TOLD_(eulash_compare_exchange(__VA_ARGS__))
#define eulash_memcpy(...) EULASH_TOLD_(eulash_memcpy(__VA_ARGS__))
#define eulash_memmove(...) EULASH_TOLD_(eulash_memmove(__VA_ARGS__))
#define eulash_memset(...) EULASH_TOLD_(eulash_memset(__VA_ARGS__))
#define eulash_memcmp(...) EULASH_TOLD_(eulash_memcmp(__VA_ARGS__))
#define eulash_memchr(...) EULASH_TOLD_(eulash_memchr(__VA_ARGS__))
#define eulash_strlen(...) EULASH_TOLD_(eulash_strlen(__VA_ARGS__))
#define eulash_strnlen(...) EULASH_TOLD_(eulash_strnlen(__VA_ARGS__))
#define eulash_strcpy(...) EULASH_TOLD_(eulash_strcpy(__VA_ARGS__))
#define eulash_strncpy(...) EULASH_TOLD_(eulash_strncpy(__VA_ARGS__))
#define eulash_strcat(...) EULASH_TOLD_(eulash_strcat(__VA_ARGS__))
#define eulash_strncat(...) EULASH_TOLD_(eulash_strncat(__VA_ARGS__))
#define eulash_strcmp(...) EULASH_TOLD_(eulash_strcmp(__VA_ARGS__))
#define eulash_strncmp(...) EULASH_TOLD_(eulash_strncmp(__VA_ARGS__))
#define eulash_strcasecmp(...) EULASH_TOLD_(eulash_strcasecmp(__VA_ARGS__))
#define eulash_strncasecmp(...) EULASH_TOLD_(eulash_strncasecmp(__VA_ARGS__))
#define eulash_strchr(...) EULASH_TOLD_(eulash_strchr(__VA_ARGS__))
#define eulash_strrchr(...) EULASH_TOLD_(eulash_strrchr(__VA_ARGS__))
#define eulash_strstr(...) EULASH_TOLD_(eulash_strstr(__VA_ARGS__))
#define eulash_strpbrk(...) EULASH_TOLD_(eulash_strpbrk(__VA_ARGS__))
#define eulash_strspn(...) EULASH_TOLD_(eulash_strspn(__VA_ARGS__))
#define eulash_strcspn(...) EULASH_TOLD_(eulash_strcspn(__VA_ARGS__))
#define eulash_strtok_r(...) EULASH_TOLD_(eulash_strtok_r(__VA_ARGS__))
#define eulash_qsort(...) EULASH_TOLD_(eulash_qsort(__VA_ARGS__))
#define eulash_bsearch(...) EULASH_TOLD_(eulash_bsearch(__VA_ARGS__))
#define eulash_atoi(...) EULASH_TOLD_(eulash_atoi(__VA_ARGS__))
#define eulash_atol(...) EULASH_TOLD_(eulash_atol(__VA_ARGS__))
#define eulash_atof(...) EULASH_TOLD_(eulash_atof(__VA_ARGS__))
#define eulash_strtol(...) EULASH_TOLD_(eulash_strtol(__VA_ARGS__))
#define eulash_strtod(...) EULASH_TOLD_(eulash_strtod(__VA_ARGS__))
#define eulash_printf(...) EULASH_TOLD_(eulash_printf(__VA_ARGS__))
#define eulash_fprintf(...) EULASH_TOLD_(eulash_fprintf(__VA_ARGS__))
#define eulash_sprintf(...) EULASH_TOLD_(eulash_sprintf(__VA_ARGS__))
#define eulash_snprintf(...) EULASH_TOLD_(eulash_snprintf(__VA_ARGS__))
#define eulash_puts(...) EULASH_TOLD_(eulash_puts(__VA_ARGS__))
#define eulash_fputs(...) EULASH_TOLD_(eulash_fputs(__VA_ARGS__))
#define eulash_fgets(...) EULASH_TOLD_(eulash_fgets(__VA_ARGS__))
#define eulash_sscanf(...) EULASH_TOLD_(eulash_sscanf(__VA_ARGS__))
#define eulash_strdup(...) EULASH_TOLD_(eulash_strdup(__VA_ARGS__))
#define eulash_strndup(...) EULASH_TOLD_(eulash_strndup(__VA_ARGS__))
#define eulash_realloc(...) EULASH_TOLD_(eulash_realloc(__VA_ARGS__))

#endif
