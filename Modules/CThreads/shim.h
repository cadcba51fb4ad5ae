#pragma once

#include <pthread.h>

#ifdef __linux__
// An event counter, which Swift's module for the C library leaves out as well.
#include <sys/eventfd.h>

// Declared by <pthread.h> under _GNU_SOURCE only, so that Swift's module for the C library leaves it out.
int pthread_setname_np(pthread_t thread, const char *name);
#endif
