#pragma once

// Libraries that are loaded when they are needed. With all that libavahi-client needs they are eleven of the eighteen that
// would be loaded otherwise before the program begins, and took a quarter of the time of a start, of verbs that ask nobody,
// too. A program that was built with them also runs where they are not installed.
//
// Each function that is defined here calls the library's. Where the library cannot be loaded, it does nothing and returns 0,
// which some would take for success: so the library is loaded before anything is asked of it.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define POINTER(result, name, parameters, arguments) static result(*found_##name) parameters;

#define FIND(result, name, parameters, arguments) &&(found_##name = (result(*) parameters) dlsym(library, #name))

#define FORWARD(result, name, parameters, arguments) \
  result name parameters { return load() == 0 ? found_##name arguments : (result) 0; }

/// The state of loading one library.
struct loading {
  atomic_bool is_done;
  pthread_mutex_t lock;
};

/// Returns why a library could not be loaded, which the loader says in words only: the process has no descriptor left, or the
/// library is not there.
static inline int cause(void) {
  int descriptor = open("/", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  close(descriptor);
  return ENOENT;
}

/// Calls find, which returns whether it has found the library and its functions, until it has once. Returns 0, or an error
/// number.
static inline int load_once(struct loading *loading, bool (*find)(void)) {
  // What find has stored is seen by whoever sees this.
  if (atomic_load_explicit(&loading->is_done, memory_order_acquire)) return 0;
  pthread_mutex_lock(&loading->lock);
  bool is_done = atomic_load_explicit(&loading->is_done, memory_order_relaxed) || find();
  int error = is_done ? 0 : cause();
  atomic_store_explicit(&loading->is_done, is_done, memory_order_release);
  pthread_mutex_unlock(&loading->lock);
  return error;
}
