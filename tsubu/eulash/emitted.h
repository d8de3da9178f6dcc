// What `eulash cc` emits once for a program, beside its text: its shared globals with their first values, its variables
// of a thread's own, and what is known of a run of it. It stands in sections of the program that the runtime reads as
// the program starts, or is asked for by name.
#ifndef TSUBU_EULASH_EMITTED_H
#define TSUBU_EULASH_EMITTED_H

#include "tsubu/eulash/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- globals. For a shared global or static local x, whose own memory is then only the first value, the tool emits
//   static __typeof__(x) *eulash_g_x;      // by which all accesses go; or with the linkage of x
//   EULASH_GLOBAL(x, "x", EULASH_INVALIDATE, 0, 0, NULL);
// All of them have their addresses before main, the same in all processes; process 0 is their home. `pointers` are
// those in the first value of x that point into another's, `pointer_count` of them: for each its offset in x, and that
// other's own address, since the pointer itself may lead behind its end or before its beginning.
struct eulash_global {
  void** variable;    // gets the address
  const void* image;  // the first value
  size_t bytes;
  struct eulash_site site;
  size_t pointer_count;
  const size_t* pointers;
};
#define EULASH_GLOBAL(x, name_, protocol_, block_bytes_, pointer_count_, pointers_) \
  EULASH_GLOBAL_AT(__LINE__, x, name_, protocol_, block_bytes_, pointer_count_, pointers_)
#define EULASH_GLOBAL_AT(line_, x, name_, protocol_, block_bytes_, pointer_count_, pointers_)                        \
  static const struct eulash_global eulash_r_##x = {                                                                 \
      (void**)&eulash_g_##x, (const void*)&x, sizeof(x), {{__FILE__, "", line_, 0}, name_, protocol_, block_bytes_}, \
      pointer_count_,        pointers_};                                                                             \
  static const struct eulash_global* const eulash_q_##x __attribute__((section("eulash_globals"), used)) = &eulash_r_##x

// ---- a program that was built with a profile has one, and tells at its end what has come of it
struct eulash_recorded_run {
  const char* profile;  // the file
  int processes;
  double took_ns;       // that run
  double predicted_ns;  // with the placements of this program
};
#define EULASH_RECORDED_RUN(profile_, processes_, took_ns_, predicted_ns_) \
  extern const struct eulash_recorded_run eulash_recorded;                 \
  const struct eulash_recorded_run eulash_recorded = {profile_, processes_, took_ns_, predicted_ns_}

// Where its threads run when it has so many processes: thread k, of so many, which are told by the order in which they
// are created, main being the first.
struct eulash_thread_places {
  int processes;
  size_t count;
  const int* process_of;
};
#define EULASH_THREAD_PLACES(processes_, count_, ...)     \
  static const int eulash_process_of[] = {__VA_ARGS__};   \
  extern const struct eulash_thread_places eulash_places; \
  const struct eulash_thread_places eulash_places = {processes_, count_, eulash_process_of}

// ---- variables of a thread's own, on its stack. For `__thread T x = ..`, without its first word, the tool emits
//   size_t eulash_t_x;                 // where it is in what a thread has of its own; with the linkage of x
//   EULASH_OWN_VARIABLE(x, 0, NULL);
// and each use of x is EULASH_OWN(x). `pointers` are as those of globals.
struct eulash_own_variable {
  size_t* offset;
  const void* image;  // the first value
  size_t bytes, alignment;
  size_t pointer_count;
  const size_t* pointers;
};
#define EULASH_OWN_VARIABLE(x, pointer_count_, pointers_)                                                    \
  static const struct eulash_own_variable eulash_r_##x = {&eulash_t_##x,  (const void*)&x, sizeof(x),        \
                                                          __alignof__(x), pointer_count_,  pointers_};       \
  static const struct eulash_own_variable* const eulash_q_##x __attribute__((section("eulash_own"), used)) = \
      &eulash_r_##x
#define EULASH_OWN(x) (*(__typeof__(x)*)(eulash_own_data() + eulash_t_##x))
// It is the same as long as a function runs, since that does so in one thread.
char* eulash_own_data(void) __attribute__((const));

#ifdef __cplusplus
}
#endif
#endif
