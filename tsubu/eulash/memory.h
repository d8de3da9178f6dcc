// The shared memory of a placed program: what `eulash cc` makes of loads and stores, of allocations and of globals.
//
// Valid C and C++. One range of addresses is the shared memory: an address in it means the same datum in each process,
// so that pointers travel as they are. Nothing is mapped there, so that an access that was not made through this
// header ends the program and is never silently wrong: each process keeps what it has of the data in its own view,
// elsewhere, and a byte for each line of 64 says whether the line may be read or written there without asking anybody.
//
// The stacks of threads are in a second range, each part of which belongs to one process: that one accesses it as any
// memory, and the others by messages. All other memory is private.
//
// What a thread gets from eulash_read() and eulash_write_here() is good until it next waits, which it does nowhere
// but in functions of this library.
#ifndef TSUBU_EULASH_MEMORY_H
#define TSUBU_EULASH_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- where the memory is. ThreadSanitizer leaves other addresses to programs than the rest does.
#if defined(__SANITIZE_THREAD__)
#define EULASH_LOW_ADDRESSES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EULASH_LOW_ADDRESSES 1
#endif
#endif
#ifdef EULASH_LOW_ADDRESSES
#define EULASH_BASE ((uintptr_t)1 << 36)
#define EULASH_RANGE ((uintptr_t)1 << 36)
#else
#define EULASH_BASE ((uintptr_t)1 << 45)
#define EULASH_RANGE ((uintptr_t)1 << 40)
#endif
// Shared: EULASH_BASE and so many bytes. Stacks: behind it, as many. Views: behind these.
#define EULASH_STACKS (EULASH_BASE + EULASH_RANGE)
#define EULASH_LINE 64

// ---- lines of the source, for reports
struct eulash_place {  // laid out as what std::source_location points to
  const char* file;
  const char* function;
  unsigned line;
  unsigned column;
};
// The line where it stands, in a function.
#define EULASH_HERE                                                                                \
  (__extension__({                                                                                 \
    static const struct eulash_place eulash_place_ = {__FILE__, __PRETTY_FUNCTION__, __LINE__, 0}; \
    &eulash_place_;                                                                                \
  }))

// ---- where data are declared, and how they are kept
enum eulash_protocol {
  EULASH_INVALIDATE = 0,       // copies where it was read, or one that its owner writes
  EULASH_MOBILE = 1,           // goes to who accesses it; there is never a copy
  EULASH_UPDATE_PROTOCOL = 2,  // copies where it was read, which a write updates
  EULASH_GLOBAL_PROTOCOL = 3   // stays at its home, which answers each access
};
struct eulash_site {
  struct eulash_place where;
  const char* name;  // of the variable, for reports
  enum eulash_protocol protocol;
  unsigned block_bytes;  // what travels together, a multiple of 64; 0: 4096, or what is allocated if that is less
};
// A site by itself, in a function: eulash_malloc(n, EULASH_SITE("rows", EULASH_INVALIDATE, 0)).
#define EULASH_SITE(name_, protocol_, block_bytes_) EULASH_SITE_AT(__LINE__, name_, protocol_, block_bytes_)
// The same, in a line that is told, by which a profile knows it.
#define EULASH_SITE_AT(line_, name_, protocol_, block_bytes_)                               \
  (__extension__({                                                                          \
    static const struct eulash_site eulash_site_ = {                                        \
        {__FILE__, __PRETTY_FUNCTION__, (line_), 0}, (name_), (protocol_), (block_bytes_)}; \
    &eulash_site_;                                                                          \
  }))

// ---- accesses

// This process's view of the shared memory: the datum of BASE + a lies at view + a, and what may be done to its line is
// said by view[-1 - a / 64]: 0 nothing without asking, 1 read, 2 read and write.
extern __thread char* eulash_view __attribute__((tls_model("initial-exec")));

// The ways of an access that finds its line not valid, of more than a line, or of somebody's stack. They may wait.
const void* eulash_read_slowly(const void* p, size_t n);
void* eulash_write_here_slowly(void* p, size_t n);
void eulash_store_slowly(void* p, const void* from, size_t n);

// Where n bytes at p can be read now: p itself if it is private; this process's view of it; or a copy of them, made for
// this call. Good until the thread next waits, or reads again.
static inline __attribute__((always_inline)) const void* eulash_read(const void* p, size_t n) {
  const uintptr_t a = (uintptr_t)p - EULASH_BASE;
  if (__builtin_expect(a >= 2 * EULASH_RANGE, 0)) return p;
  if (__builtin_expect(a < EULASH_RANGE && (a % EULASH_LINE) + n <= EULASH_LINE, 1)) {
    char* const view = eulash_view;
    if (__builtin_expect(view[-1 - (intptr_t)(a / EULASH_LINE)] != 0, 1)) return view + a;
  }
  return eulash_read_slowly(p, n);
}

// Where n bytes at p can be written now, and read; null if they cannot be here: then eulash_store() has them written.
// Does not wait, so that nothing comes between a read and what is written then.
static inline __attribute__((always_inline)) void* eulash_write_here(void* p, size_t n) {
  const uintptr_t a = (uintptr_t)p - EULASH_BASE;
  if (__builtin_expect(a >= 2 * EULASH_RANGE, 0)) return p;
  if (__builtin_expect(a < EULASH_RANGE && (a % EULASH_LINE) + n <= EULASH_LINE, 1)) {
    char* const view = eulash_view;
    if (__builtin_expect(view[-1 - (intptr_t)(a / EULASH_LINE)] > 1, 1)) return view + a;
  }
  return eulash_write_here_slowly(p, n);
}

// n bytes from `from`, private memory, become what is at p. When it returns, each process reads them.
static inline __attribute__((always_inline)) void eulash_store(void* p, const void* from, size_t n) {
  void* const here = eulash_write_here(p, n);
  if (__builtin_expect(here != NULL, 1)) {
    memcpy(here, from, n);
  } else {
    eulash_store_slowly(p, from, n);
  }
}
// Those of n bytes that differ in `after` from `before` are stored: what bit-fields need, which share bytes.
void eulash_store_changed(void* p, const void* before, const void* after, size_t n);

// The value of an lvalue that is no array and no bit-field. All these macros take each argument once.
#define EULASH_LOAD(...)                                                                         \
  (__extension__({                                                                               \
    __auto_type const eulash_p_ = &(__VA_ARGS__);                                                \
    __typeof__(*eulash_p_) eulash_v_ =                                                           \
        *(const __typeof__(*eulash_p_)*)eulash_read((const void*)eulash_p_, sizeof(*eulash_p_)); \
    eulash_v_;                                                                                   \
  }))

// The same of an integer or a pointer, where no statement may stand: in the size of a parameter.
#define EULASH_LOAD_SIZE(...) \
  ((__typeof__(__VA_ARGS__))eulash_load_size((const void*)&(__VA_ARGS__), sizeof(__VA_ARGS__)))
static inline uintptr_t eulash_load_size(const void* p, size_t n) {
  uintptr_t v = 0;
  memcpy(&v, eulash_read(p, n), n);
  return v;
}

// lvalue = value, and gives that.
#define EULASH_STORE(lvalue, ...)                                                                                   \
  (__extension__({                                                                                                  \
    __auto_type const eulash_p_ = &(lvalue);                                                                        \
    __typeof__(*eulash_p_) eulash_v_ = (__VA_ARGS__);                                                               \
    __auto_type const eulash_w_ = (__typeof__(*eulash_p_)*)eulash_write_here((void*)eulash_p_, sizeof(*eulash_p_)); \
    if (__builtin_expect(eulash_w_ != NULL, 1)) {                                                                   \
      *eulash_w_ = eulash_v_;                                                                                       \
    } else {                                                                                                        \
      __typeof__(*eulash_p_) const eulash_c_ = eulash_v_; /* so that the value may be in a register */              \
      eulash_store_slowly((void*)eulash_p_, (const void*)&eulash_c_, sizeof(*eulash_p_));                           \
    }                                                                                                               \
    eulash_v_;                                                                                                      \
  }))

// The value of lvalue becomes what `change` makes of it, which names it eulash_v_; gives `gives`.
#define EULASH_CHANGE_(lvalue, prepare, change, gives)                                                              \
  (__extension__({                                                                                                  \
    __auto_type const eulash_p_ = &(lvalue);                                                                        \
    prepare;                                                                                                        \
    __auto_type const eulash_w_ = (__typeof__(*eulash_p_)*)eulash_write_here((void*)eulash_p_, sizeof(*eulash_p_)); \
    __typeof__(*eulash_p_) eulash_v_ =                                                                              \
        __builtin_expect(eulash_w_ != NULL, 1)                                                                      \
            ? *eulash_w_                                                                                            \
            : *(const __typeof__(*eulash_p_)*)eulash_read((const void*)eulash_p_, sizeof(*eulash_p_));              \
    __typeof__(*eulash_p_) const eulash_old_ = eulash_v_;                                                           \
    (void)eulash_old_;                                                                                              \
    change;                                                                                                         \
    if (__builtin_expect(eulash_w_ != NULL, 1)) {                                                                   \
      *eulash_w_ = eulash_v_;                                                                                       \
    } else {                                                                                                        \
      __typeof__(*eulash_p_) const eulash_c_ = eulash_v_; /* so that the value may be in a register */              \
      eulash_store_slowly((void*)eulash_p_, (const void*)&eulash_c_, sizeof(*eulash_p_));                           \
    }                                                                                                               \
    gives;                                                                                                          \
  }))
// lvalue = lvalue op value, and gives that: EULASH_UPDATE(x->sum, +, 3).
#define EULASH_UPDATE(lvalue, op, ...) \
  EULASH_CHANGE_(lvalue, __auto_type const eulash_by_ = (__VA_ARGS__), eulash_v_ = eulash_v_ op eulash_by_, eulash_v_)
#define EULASH_PRE_INCREMENT(lvalue) EULASH_CHANGE_(lvalue, (void)0, ++eulash_v_, eulash_v_)
#define EULASH_PRE_DECREMENT(lvalue) EULASH_CHANGE_(lvalue, (void)0, --eulash_v_, eulash_v_)
#define EULASH_POST_INCREMENT(lvalue) EULASH_CHANGE_(lvalue, (void)0, ++eulash_v_, eulash_old_)
#define EULASH_POST_DECREMENT(lvalue) EULASH_CHANGE_(lvalue, (void)0, --eulash_v_, eulash_old_)

// Bit-fields, with the lvalue of what they are members of: object.field, object.field = value, .. All of it is read,
// which is no access of the program's, and not told as one (races.h): hence the parentheses.
#define EULASH_LOAD_FIELD(object, field)                                                               \
  (__extension__({                                                                                     \
    __auto_type const eulash_p_ = &(object);                                                           \
    ((const __typeof__(*eulash_p_)*)(eulash_read)((const void*)eulash_p_, sizeof(*eulash_p_)))->field; \
  }))
#define EULASH_CHANGE_FIELD_(object, field, prepare, change, gives)                                                    \
  (__extension__({                                                                                                     \
    __auto_type const eulash_p_ = &(object);                                                                           \
    prepare;                                                                                                           \
    __typeof__(*eulash_p_) eulash_v_ =                                                                                 \
        *(const __typeof__(*eulash_p_)*)(eulash_read)((const void*)eulash_p_, sizeof(*eulash_p_));                     \
    __typeof__(*eulash_p_) eulash_before_;                                                                             \
    memcpy((void*)&eulash_before_, (const void*)&eulash_v_, sizeof(*eulash_p_));                                       \
    change;                                                                                                            \
    eulash_store_changed((void*)eulash_p_, (const void*)&eulash_before_, (const void*)&eulash_v_, sizeof(*eulash_p_)); \
    gives.field;                                                                                                       \
  }))
#define EULASH_STORE_FIELD(object, field, ...)                                                                    \
  EULASH_CHANGE_FIELD_(object, field, __auto_type const eulash_by_ = (__VA_ARGS__), eulash_v_.field = eulash_by_, \
                       eulash_v_)
#define EULASH_UPDATE_FIELD(object, field, op, ...)                                 \
  EULASH_CHANGE_FIELD_(object, field, __auto_type const eulash_by_ = (__VA_ARGS__), \
                       eulash_v_.field = eulash_v_.field op eulash_by_, eulash_v_)
#define EULASH_PRE_INCREMENT_FIELD(object, field) \
  EULASH_CHANGE_FIELD_(object, field, (void)0, ++eulash_v_.field, eulash_v_)
#define EULASH_PRE_DECREMENT_FIELD(object, field) \
  EULASH_CHANGE_FIELD_(object, field, (void)0, --eulash_v_.field, eulash_v_)
#define EULASH_POST_INCREMENT_FIELD(object, field) \
  EULASH_CHANGE_FIELD_(object, field, (void)0, ++eulash_v_.field, eulash_before_)
#define EULASH_POST_DECREMENT_FIELD(object, field) \
  EULASH_CHANGE_FIELD_(object, field, (void)0, --eulash_v_.field, eulash_before_)

// ---- loops that do not wait, which then access memory as it is: all between two addresses, either of which may be the
// lower one.
struct eulash_run {
  const void* first;
  const void* last;
  size_t bytes;     // of the element at each end
  int writes;       // it is also written
  ptrdiff_t shift;  // gets what is to be added to its addresses
};
// Fetches the runs, and gives 1: until the thread next waits, what is at an address of a run is at address + shift, to
// read, and to write where that was said. What is read there is right in a program without data races, as nobody else
// writes it meanwhile. 0: it cannot be done, and the loop accesses one datum after the other: where the addresses are
// not those of one allocation, of another process's stack, or under a protocol that keeps data at home. May wait.
int eulash_hold_views(struct eulash_run* runs, int count);
static inline __attribute__((always_inline)) int eulash_hold(struct eulash_run* runs, int count) {
  if (eulash_view != NULL) return eulash_hold_views(runs, count);
  for (int k = 0; k != count; ++k) runs[k].shift = 0;  // one memory, which all have
  return 1;
}

// ---- the heap. The process of the thread that allocates is the home of what it gets; any process frees it.
// Zeroed or not, as the functions of these names; null when there is no room.
void* eulash_malloc(size_t bytes, const struct eulash_site* site);
void* eulash_calloc(size_t count, size_t each, const struct eulash_site* site);
void* eulash_realloc(void* p, size_t bytes, const struct eulash_site* site);
void* eulash_aligned_alloc(size_t alignment, size_t bytes, const struct eulash_site* site);
int eulash_posix_memalign(void** to, size_t alignment, size_t bytes, const struct eulash_site* site);
char* eulash_strdup(const char* text, const struct eulash_site* site);
char* eulash_strndup(const char* text, size_t most, const struct eulash_site* site);
// Shared or private memory, or null. Freeing twice ends the program.
void eulash_free(void* p);

// ---- loops. At each back edge of a loop that could run for long: now and then it lets messages be handled, and the
// other threads of this process run.
extern __thread int eulash_polls_left __attribute__((tls_model("initial-exec")));
void eulash_poll_now(void);
static inline __attribute__((always_inline)) void eulash_poll(void) {
  if (__builtin_expect(--eulash_polls_left < 0, 0)) eulash_poll_now();
}
// For so many rounds at once, 65,536 at most.
static inline __attribute__((always_inline)) void eulash_poll_rounds(int rounds) {
  if ((eulash_polls_left -= rounds) < 0) eulash_poll_now();
}

#ifdef __cplusplus
}
#endif
#endif
