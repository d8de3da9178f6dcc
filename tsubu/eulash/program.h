// All that a placed program includes, once, before its own first line that is no #include: what `eulash cc` emits names
// functions of the system's with eulash_ in front, except those that are renamed here.
#ifndef TSUBU_EULASH_PROGRAM_H
#define TSUBU_EULASH_PROGRAM_H

#include <unistd.h>

#include "tsubu/eulash/atomics.h"
#include "tsubu/eulash/emitted.h"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/memory.h"
#include "tsubu/eulash/threads.h"

#undef stdin
#undef stdout
#undef stderr
#define stdin EULASH_STDIN
#define stdout EULASH_STDOUT
#define stderr EULASH_STDERR

// What means the program or its process is never the system's, whatever its arguments are.
#define abort() eulash_abort()
#define clock() eulash_clock()
#define clock_gettime(clock_, to) eulash_clock_gettime(clock_, to)
#define exit(code) eulash_exit(code)
#define gettimeofday(to, zone) eulash_gettimeofday(to, zone)
#define rand() eulash_rand()
#define srand(seed) eulash_srand(seed)
#define time(to) eulash_time(to)

#define pthread_create eulash_pthread_create
#define pthread_join eulash_pthread_join
#define pthread_detach eulash_pthread_detach
#define pthread_self eulash_pthread_self
#define pthread_equal eulash_pthread_equal
#define pthread_exit eulash_pthread_exit
#define sched_yield eulash_sched_yield
#define pthread_mutex_init eulash_pthread_mutex_init
#define pthread_mutex_destroy eulash_pthread_mutex_destroy
#define pthread_mutex_lock eulash_pthread_mutex_lock
#define pthread_mutex_timedlock eulash_pthread_mutex_timedlock
#define pthread_mutex_trylock eulash_pthread_mutex_trylock
#define pthread_mutex_unlock eulash_pthread_mutex_unlock
#define pthread_spin_init eulash_pthread_spin_init
#define pthread_spin_destroy eulash_pthread_spin_destroy
#define pthread_spin_lock eulash_pthread_spin_lock
#define pthread_spin_trylock eulash_pthread_spin_trylock
#define pthread_spin_unlock eulash_pthread_spin_unlock
#define pthread_cond_init eulash_pthread_cond_init
#define pthread_cond_destroy eulash_pthread_cond_destroy
#define pthread_cond_wait eulash_pthread_cond_wait
#define pthread_cond_timedwait eulash_pthread_cond_timedwait
#define pthread_cond_signal eulash_pthread_cond_signal
#define pthread_cond_broadcast eulash_pthread_cond_broadcast
#define pthread_barrier_init eulash_pthread_barrier_init
#define pthread_barrier_destroy eulash_pthread_barrier_destroy
#define pthread_barrier_wait eulash_pthread_barrier_wait
#define pthread_rwlock_init eulash_pthread_rwlock_init
#define pthread_rwlock_destroy eulash_pthread_rwlock_destroy
#define pthread_rwlock_rdlock eulash_pthread_rwlock_rdlock
#define pthread_rwlock_wrlock eulash_pthread_rwlock_wrlock
#define pthread_rwlock_tryrdlock eulash_pthread_rwlock_tryrdlock
#define pthread_rwlock_trywrlock eulash_pthread_rwlock_trywrlock
#define pthread_rwlock_unlock eulash_pthread_rwlock_unlock
#define pthread_once eulash_pthread_once
#define pthread_key_create eulash_pthread_key_create
#define pthread_key_delete eulash_pthread_key_delete
#define pthread_getspecific eulash_pthread_getspecific
#define pthread_setspecific eulash_pthread_setspecific
#define sem_init eulash_sem_init
#define sem_destroy eulash_sem_destroy
#define sem_wait eulash_sem_wait
#define sem_trywait eulash_sem_trywait
#define sem_post eulash_sem_post
#define sem_getvalue eulash_sem_getvalue
#define sleep eulash_sleep
#define usleep eulash_usleep
#define nanosleep eulash_nanosleep

#ifdef EULASH_RACES
#include "tsubu/eulash/races.h"
#endif

#endif
