#pragma once

// The header of mallopt(3), which Swift's module for the C library leaves out.
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
// The header of eventfd(2), which Swift's module for the C library leaves out as well.
#include <sys/eventfd.h>
#include <sys/prctl.h>

// <pthread.h> declares this function under _GNU_SOURCE only, so that Swift's module for the C library leaves it out.
int pthread_setname_np(pthread_t thread, const char *name);

// The same holds for memfd_create(2), pipe2(2), and what closes the descriptors of a program that is run.
int memfd_create(const char *name, unsigned int flags);
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// prctl(2) with PR_SET_DUMPABLE: Swift cannot call C functions with a variable number of arguments.
static inline int clawradar_set_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }

// malloc_trim(3), which musl lacks.
static inline void clawradar_return_freed(void) {
#ifdef M_TRIM_THRESHOLD
    malloc_trim(0);
#endif
}

// mallopt(3) with M_MMAP_THRESHOLD; musl has no such setting, and always gives large blocks back.
static inline void clawradar_return_blocks_from(int bytes) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}
