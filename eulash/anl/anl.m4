m4_divert(-1)
# The macros of Argonne National Laboratory, in which the programs of SPLASH are written, on POSIX threads: `eulash cc`
# has them expanded in files NAME.C and NAME.H (m4 -P -s). Each is one line, with braces where it is a statement, so
# that a semicolon may follow or not. What the C program itself may have in the place of m4's quotes and comments:
m4_changequote(⟦, ⟧)
m4_changecom(/*, */)

# The first thread's file has the table of those that are created; the others know of it.
m4_define(⟦MAIN_ENV⟧, ⟦pthread_t anl_threads[1024]; int anl_created; void *anl_run(void *f); void *anl_run(void *f) { ((void (*)(void))f)(); return NULL; }⟧)
m4_define(⟦EXTERN_ENV⟧, ⟦extern pthread_t anl_threads[1024]; extern int anl_created; void *anl_run(void *f);⟧)
m4_define(⟦MAIN_INITENV⟧, ⟦{ anl_created = 0; }⟧)
m4_define(⟦MAIN_END⟧, ⟦{ exit(0); }⟧)

# CREATE(f) makes one thread; CREATE(f, n) n - 1, and executes f itself.
m4_define(⟦anl_create⟧, ⟦if (pthread_create(&anl_threads[anl_created++], NULL, anl_run, (void *)($1)) != 0) { fprintf(stderr, "a thread cannot be created\n"); exit(1); }⟧)
m4_define(⟦CREATE⟧, ⟦m4_ifelse($#, 1, ⟦{ anl_create(⟦$1⟧) }⟧, ⟦{ for (int anl_k = 1; anl_k < ($2); anl_k++) anl_create(⟦$1⟧) $1(); }⟧)⟧)
m4_define(⟦WAIT_FOR_END⟧, ⟦{ while (anl_created > 0) pthread_join(anl_threads[--anl_created], NULL); }⟧)

m4_define(⟦LOCKDEC⟧, ⟦pthread_mutex_t $1;⟧)
m4_define(⟦LOCKINIT⟧, ⟦{ pthread_mutex_init(&($1), NULL); }⟧)
m4_define(⟦LOCK⟧, ⟦{ pthread_mutex_lock(&($1)); }⟧)
m4_define(⟦UNLOCK⟧, ⟦{ pthread_mutex_unlock(&($1)); }⟧)

m4_define(⟦ALOCKDEC⟧, ⟦pthread_mutex_t $1[$2];⟧)
m4_define(⟦ALOCKINIT⟧, ⟦{ for (long anl_k = 0; anl_k < ($2); anl_k++) pthread_mutex_init(&($1)[anl_k], NULL); }⟧)
m4_define(⟦ALOCK⟧, ⟦{ pthread_mutex_lock(&($1)[$2]); }⟧)
m4_define(⟦AULOCK⟧, ⟦{ pthread_mutex_unlock(&($1)[$2]); }⟧)
m4_define(⟦AUNLOCK⟧, ⟦AULOCK($@)⟧)

# BARINIT(b, n) makes one of n threads; without n each BARRIER(b, n) tells how many there are.
m4_define(⟦BARDEC⟧, ⟦struct { pthread_barrier_t all; pthread_mutex_t lock; pthread_cond_t changed; long members, here, round; } $1;⟧)
m4_define(⟦BARINIT⟧, ⟦m4_ifelse($#, 1, ⟦{ ($1).members = 0; ($1).here = 0; pthread_mutex_init(&($1).lock, NULL); pthread_cond_init(&($1).changed, NULL); }⟧, ⟦{ ($1).members = ($2); pthread_barrier_init(&($1).all, NULL, ($2)); }⟧)⟧)
m4_define(⟦BARRIER⟧, ⟦{ if (($1).members != 0) { pthread_barrier_wait(&($1).all); } else { pthread_mutex_lock(&($1).lock); if (++($1).here == ($2)) { ($1).here = 0; ($1).round++; pthread_cond_broadcast(&($1).changed); } else { for (long anl_round = ($1).round; anl_round == ($1).round;) pthread_cond_wait(&($1).changed, &($1).lock); } pthread_mutex_unlock(&($1).lock); } }⟧)

# A flag for which threads wait.
m4_define(⟦PAUSEDEC⟧, ⟦struct { pthread_mutex_t lock; pthread_cond_t changed; int set; } $1⟦⟧m4_ifelse($#, 1, , ⟦[$2]⟧);⟧)
m4_define(⟦PAUSEINIT⟧, ⟦{ pthread_mutex_init(&($1).lock, NULL); pthread_cond_init(&($1).changed, NULL); ($1).set = 0; }⟧)
m4_define(⟦SETPAUSE⟧, ⟦{ pthread_mutex_lock(&($1).lock); ($1).set = 1; pthread_cond_broadcast(&($1).changed); pthread_mutex_unlock(&($1).lock); }⟧)
m4_define(⟦CLEARPAUSE⟧, ⟦{ pthread_mutex_lock(&($1).lock); ($1).set = 0; pthread_mutex_unlock(&($1).lock); }⟧)
m4_define(⟦WAITPAUSE⟧, ⟦{ pthread_mutex_lock(&($1).lock); while (!($1).set) pthread_cond_wait(&($1).changed, &($1).lock); pthread_mutex_unlock(&($1).lock); }⟧)
m4_define(⟦PAUSE⟧, ⟦WAITPAUSE($@)⟧)

m4_define(⟦G_MALLOC⟧, ⟦malloc($1)⟧)
m4_define(⟦NU_MALLOC⟧, ⟦malloc($1)⟧)
m4_define(⟦G_FREE⟧, ⟦free($1)⟧)
m4_define(⟦NU_FREE⟧, ⟦free($1)⟧)

# Microseconds.
m4_define(⟦CLOCK⟧, ⟦{ struct timeval anl_now; gettimeofday(&anl_now, NULL); ($1) = anl_now.tv_sec * 1000000 + anl_now.tv_usec; }⟧)
m4_divert(0)m4_dnl
