#pragma once

// The header of mallopt(3), which Swift's module for the C library leaves out.
#include <malloc.h>
#include <pthread.h>
// The header of eventfd(2), which Swift's module for the C library leaves out as well.
#include <sys/eventfd.h>
#include <sys/prctl.h>

// <pthread.h> declares this function under _GNU_SOURCE only, so that Swift's module for the C library leaves it out.
int pthread_setname_np(pthread_t thread, const char *name);

// prctl(2) with PR_SET_DUMPABLE: Swift cannot call C functions with a variable number of arguments.
static inline int clawradar_set_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }

// mallopt(3) with M_MMAP_THRESHOLD; musl has no such setting, and always gives large blocks back.
static inline void clawradar_return_blocks_from(int bytes) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}
