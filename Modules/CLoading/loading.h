#pragma once

// Libraries that are loaded when they are needed. With all that libavahi-client needs they are twelve of the eighteen that
// would be loaded otherwise before the program begins, and took a quarter of the time of a start, of verbs that ask nobody,
// too. A program that was built with them also runs where they are not installed.
//
// A library's functions are listed by a macro of one parameter, which it calls for each of them with the type of the result,
// the name, the parameters and the arguments. The functions that are defined here have the library's own names, so that
// nothing that calls them knows of this; they are hidden, so that the libraries find their own.

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define POINTER(result, name, parameters, arguments) static result(*found_##name) parameters;

#define FIND(result, name, parameters, arguments) &&(found_##name = (result(*) parameters) dlsym(library, #name))

#define FORWARD(result, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) result name parameters { return is_loaded() ? found_##name arguments : (result) 0; }

/// The state of loading one library.
struct loading {
  atomic_bool is_done;
  pthread_mutex_t lock;
};

/// Calls find, which returns whether it has found the library and its functions, until it has once; returns whether it has.
static inline bool load_once(struct loading *loading, bool (*find)(void)) {
  // What find has stored is seen by whoever sees this.
  if (atomic_load_explicit(&loading->is_done, memory_order_acquire)) return true;
  pthread_mutex_lock(&loading->lock);
  bool is_done = atomic_load_explicit(&loading->is_done, memory_order_relaxed) || find();
  atomic_store_explicit(&loading->is_done, is_done, memory_order_release);
  pthread_mutex_unlock(&loading->lock);
  return is_done;
}
