// Without the header nothing calls libdns_sd: the target Bonjour cannot be built either.
#if __has_include(<dns_sd.h>)

#include "dns_sd_functions.h"

#include <dns_sd.h>

#include "CLoading.h"
#include "loading.h"

DNS_SD_FUNCTIONS(POINTER)

static void *library;

static bool find(void) {
  // Debian and its kin install both libraries under the first name; Apple's own build has only the second. It is never
  // closed: its functions must stay valid.
  if (library == NULL) library = dlopen("libdns_sd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libdns_sd.so", RTLD_NOW | RTLD_LOCAL);
  return library DNS_SD_FUNCTIONS(FIND);
}

static int load(void) {
  static struct loading loading = {false, PTHREAD_MUTEX_INITIALIZER};
  return load_once(&loading, find);
}

DNS_SD_FUNCTIONS(FORWARD)

int clawradar_load_dns_sd(void) { return load(); }

void *clawradar_dns_sd_function(const char *name) { return load() == 0 ? dlsym(library, name) : NULL; }

#endif
