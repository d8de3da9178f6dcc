// The names by which C programs do atomic operations, of <stdatomic.h> and of the compiler, as those of threads.h.
//
// Memory orders are evaluated and dropped: all is sequentially consistent. Each first argument is an address, of shared
// or private memory.
#ifndef TSUBU_EULASH_ATOMICS_H
#define TSUBU_EULASH_ATOMICS_H

#include <stdatomic.h>

#include "tsubu/eulash/threads.h"

#undef atomic_init
#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_xor
#undef atomic_fetch_xor_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit
#undef atomic_flag_test_and_set
#undef atomic_flag_test_and_set_explicit
#undef atomic_flag_clear
#undef atomic_flag_clear_explicit
#undef atomic_thread_fence
#undef atomic_signal_fence

// Plain and volatile accesses stay on their sides of it, where processes use one memory. (Atomic ones do so by
// themselves; ThreadSanitizer knows no fences.)
static inline void eulash_fence(void) {
#ifndef EULASH_LOW_ADDRESSES
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// What the operation has made of it, where the compiler's names want the new value.
#define EULASH_ATOMIC_NEW_(what, op, p, v)                                                    \
  (__extension__({                                                                            \
    __typeof__(((void)0, *(p))) const eulash_by_ = (__typeof__(((void)0, *(p))))(v);          \
    (__typeof__(((void)0, *(p))))(EULASH_ATOMIC_FETCH(what, *(p), eulash_by_) op eulash_by_); \
  }))
// The value before, of a compare and exchange that takes the expected one by value.
#define EULASH_ATOMIC_SWAP_(p, expected, v, gives)                               \
  (__extension__({                                                               \
    __typeof__(((void)0, *(p))) eulash_e_ = (expected);                          \
    __typeof__(((void)0, *(p))) const eulash_x_ = eulash_e_;                     \
    int const eulash_y_ = EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), &eulash_e_, (v)); \
    (void)eulash_x_;                                                             \
    (void)eulash_y_;                                                             \
    gives;                                                                       \
  }))

// lvalue = lvalue op value, in one go: gives the new value, or that before.
#define EULASH_ATOMIC_UPDATE_(lvalue, op, gives, ...)                                 \
  (__extension__({                                                                    \
    __auto_type const eulash_q_ = &(lvalue);                                          \
    __auto_type const eulash_by_ = (__VA_ARGS__);                                     \
    EULASH_PLAIN_(*eulash_q_) eulash_old_ = EULASH_ATOMIC_LOAD(*eulash_q_);           \
    EULASH_PLAIN_(*eulash_q_) eulash_new_;                                            \
    do {                                                                              \
      eulash_new_ = (EULASH_PLAIN_(*eulash_q_))(eulash_old_ op eulash_by_);           \
    } while (!EULASH_ATOMIC_COMPARE_EXCHANGE(*eulash_q_, &eulash_old_, eulash_new_)); \
    gives;                                                                            \
  }))
#define EULASH_ATOMIC_UPDATE(lvalue, op, ...) EULASH_ATOMIC_UPDATE_(lvalue, op, eulash_new_, __VA_ARGS__)
#define EULASH_ATOMIC_POST_UPDATE(lvalue, op, ...) EULASH_ATOMIC_UPDATE_(lvalue, op, eulash_old_, __VA_ARGS__)

// lvalue = value, and gives that.
#define EULASH_ATOMIC_ASSIGN(lvalue, ...)                        \
  (__extension__({                                               \
    __auto_type const eulash_q_ = &(lvalue);                     \
    EULASH_PLAIN_(*eulash_q_) const eulash_new_ = (__VA_ARGS__); \
    EULASH_ATOMIC_STORE(*eulash_q_, eulash_new_);                \
    eulash_new_;                                                 \
  }))

#define atomic_init(p, v) EULASH_ATOMIC_STORE(*(p), v)
#define atomic_load(p) EULASH_ATOMIC_LOAD(*(p))
#define atomic_load_explicit(p, order) ((void)(order), EULASH_ATOMIC_LOAD(*(p)))
#define atomic_store(p, v) EULASH_ATOMIC_STORE(*(p), v)
#define atomic_store_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_STORE(*(p), v))
#define atomic_exchange(p, v) EULASH_ATOMIC_EXCHANGE(*(p), v)
#define atomic_exchange_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_EXCHANGE(*(p), v))
#define atomic_compare_exchange_strong(p, e, v) EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), e, v)
#define atomic_compare_exchange_weak(p, e, v) EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), e, v)
#define atomic_compare_exchange_strong_explicit(p, e, v, order, other) \
  ((void)(order), (void)(other), EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), e, v))
#define atomic_compare_exchange_weak_explicit(p, e, v, order, other) \
  ((void)(order), (void)(other), EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), e, v))
#define atomic_fetch_add(p, v) EULASH_ATOMIC_FETCH(add, *(p), v)
#define atomic_fetch_add_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(add, *(p), v))
#define atomic_fetch_sub(p, v) EULASH_ATOMIC_FETCH(sub, *(p), v)
#define atomic_fetch_sub_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(sub, *(p), v))
#define atomic_fetch_or(p, v) EULASH_ATOMIC_FETCH(or, *(p), v)
#define atomic_fetch_or_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(or, *(p), v))
#define atomic_fetch_xor(p, v) EULASH_ATOMIC_FETCH(xor, *(p), v)
#define atomic_fetch_xor_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(xor, *(p), v))
#define atomic_fetch_and(p, v) EULASH_ATOMIC_FETCH(and, *(p), v)
#define atomic_fetch_and_explicit(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(and, *(p), v))
#define atomic_flag_test_and_set(p) EULASH_ATOMIC_TEST_AND_SET_(p)
#define atomic_flag_test_and_set_explicit(p, order) ((void)(order), EULASH_ATOMIC_TEST_AND_SET_(p))
#define atomic_flag_clear(p) EULASH_ATOMIC_CLEAR_(p)
#define atomic_flag_clear_explicit(p, order) ((void)(order), EULASH_ATOMIC_CLEAR_(p))
#define atomic_thread_fence(order) ((void)(order), eulash_fence())
#define atomic_signal_fence(order) ((void)(order))
#define EULASH_ATOMIC_TEST_AND_SET_(p) ((_Bool)(eulash_atomic((p), 1, eulash_atomic_exchange, 1) != 0))
#define EULASH_ATOMIC_CLEAR_(p) ((void)eulash_atomic((p), 1, eulash_atomic_exchange, 0))

// Where a macro of the program's was replaced by what it stands for, there are the names of Clang's <stdatomic.h>.
#define __c11_atomic_init(p, v) atomic_init(p, v)
#define __c11_atomic_load(p, order) atomic_load_explicit(p, order)
#define __c11_atomic_store(p, v, order) atomic_store_explicit(p, v, order)
#define __c11_atomic_exchange(p, v, order) atomic_exchange_explicit(p, v, order)
#define __c11_atomic_compare_exchange_strong(p, e, v, order, other) \
  atomic_compare_exchange_strong_explicit(p, e, v, order, other)
#define __c11_atomic_compare_exchange_weak(p, e, v, order, other) \
  atomic_compare_exchange_weak_explicit(p, e, v, order, other)
#define __c11_atomic_thread_fence(order) atomic_thread_fence(order)
#define __c11_atomic_signal_fence(order) atomic_signal_fence(order)
#define __c11_atomic_fetch_add(p, v, order) atomic_fetch_add_explicit(p, v, order)
#define __c11_atomic_fetch_sub(p, v, order) atomic_fetch_sub_explicit(p, v, order)
#define __c11_atomic_fetch_or(p, v, order) atomic_fetch_or_explicit(p, v, order)
#define __c11_atomic_fetch_xor(p, v, order) atomic_fetch_xor_explicit(p, v, order)
#define __c11_atomic_fetch_and(p, v, order) atomic_fetch_and_explicit(p, v, order)

#define __sync_fetch_and_add(p, v) EULASH_ATOMIC_FETCH(add, *(p), v)
#define __sync_add_and_fetch(p, v) EULASH_ATOMIC_NEW_(add, +, p, v)
#define __atomic_fetch_add(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(add, *(p), v))
#define __atomic_add_fetch(p, v, order) ((void)(order), EULASH_ATOMIC_NEW_(add, +, p, v))
#define __sync_fetch_and_sub(p, v) EULASH_ATOMIC_FETCH(sub, *(p), v)
#define __sync_sub_and_fetch(p, v) EULASH_ATOMIC_NEW_(sub, -, p, v)
#define __atomic_fetch_sub(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(sub, *(p), v))
#define __atomic_sub_fetch(p, v, order) ((void)(order), EULASH_ATOMIC_NEW_(sub, -, p, v))
#define __sync_fetch_and_or(p, v) EULASH_ATOMIC_FETCH(or, *(p), v)
#define __sync_or_and_fetch(p, v) EULASH_ATOMIC_NEW_(or, |, p, v)
#define __atomic_fetch_or(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(or, *(p), v))
#define __atomic_or_fetch(p, v, order) ((void)(order), EULASH_ATOMIC_NEW_(or, |, p, v))
#define __sync_fetch_and_and(p, v) EULASH_ATOMIC_FETCH(and, *(p), v)
#define __sync_and_and_fetch(p, v) EULASH_ATOMIC_NEW_(and, &, p, v)
#define __atomic_fetch_and(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(and, *(p), v))
#define __atomic_and_fetch(p, v, order) ((void)(order), EULASH_ATOMIC_NEW_(and, &, p, v))
#define __sync_fetch_and_xor(p, v) EULASH_ATOMIC_FETCH(xor, *(p), v)
#define __sync_xor_and_fetch(p, v) EULASH_ATOMIC_NEW_(xor, ^, p, v)
#define __atomic_fetch_xor(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(xor, *(p), v))
#define __atomic_xor_fetch(p, v, order) ((void)(order), EULASH_ATOMIC_NEW_(xor, ^, p, v))
#define __sync_bool_compare_and_swap(p, e, v) EULASH_ATOMIC_SWAP_(p, e, v, eulash_y_ != 0)
#define __sync_val_compare_and_swap(p, e, v) EULASH_ATOMIC_SWAP_(p, e, v, eulash_y_ ? eulash_x_ : eulash_e_)
#define __sync_lock_test_and_set(p, v) EULASH_ATOMIC_EXCHANGE(*(p), v)
#define __sync_lock_release(p) EULASH_ATOMIC_STORE(*(p), 0)
#define __sync_synchronize() eulash_fence()
#define __atomic_load_n(p, order) ((void)(order), EULASH_ATOMIC_LOAD(*(p)))
#define __atomic_store_n(p, v, order) ((void)(order), EULASH_ATOMIC_STORE(*(p), v))
#define __atomic_exchange_n(p, v, order) ((void)(order), EULASH_ATOMIC_EXCHANGE(*(p), v))
#define __atomic_compare_exchange_n(p, e, v, weak, order, other) \
  ((void)(weak), (void)(order), (void)(other), EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), e, v))
// These take and give values by their addresses, of shared or private memory.
#define __atomic_load(p, to, order) ((void)(order), (void)EULASH_STORE(*(to), EULASH_ATOMIC_LOAD(*(p))))
#define __atomic_store(p, from, order) ((void)(order), EULASH_ATOMIC_STORE(*(p), EULASH_LOAD(*(from))))
#define __atomic_exchange(p, from, to, order) \
  ((void)(order), (void)EULASH_STORE(*(to), EULASH_ATOMIC_EXCHANGE(*(p), EULASH_LOAD(*(from)))))
#define __atomic_compare_exchange(p, e, from, weak, order, other) \
  ((void)(weak), (void)(order), (void)(other), EULASH_ATOMIC_COMPARE_EXCHANGE(*(p), e, EULASH_LOAD(*(from))))
#define __atomic_fetch_nand(p, v, order) ((void)(order), EULASH_ATOMIC_FETCH(nand, *(p), v))
#define __sync_fetch_and_nand(p, v) EULASH_ATOMIC_FETCH(nand, *(p), v)
#define __atomic_test_and_set(p, order) ((void)(order), EULASH_ATOMIC_TEST_AND_SET_(p))
#define __atomic_clear(p, order) ((void)(order), EULASH_ATOMIC_CLEAR_(p))
#define __atomic_thread_fence(order) ((void)(order), eulash_fence())

#endif
