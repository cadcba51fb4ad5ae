// Without the headers nothing calls libavahi-client: the target Avahi cannot be built either.
#if __has_include(<avahi-client/client.h>)

#include "avahi_functions.h"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/error.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>

#include "CLoading.h"
#include "loading.h"

// As in the shim.h of CAvahiClient.
void dbus_connection_set_change_sigpipe(unsigned int will_modify_sigpipe);

AVAHI_FUNCTIONS(POINTER)

static void *library;

static bool find(void) {
  // It is never closed: its functions must stay valid.
  if (library == NULL) library = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL);
  return library AVAHI_FUNCTIONS(FIND);
}

static int load(void) {
  static struct loading loading = {false, PTHREAD_MUTEX_INITIALIZER};
  return load_once(&loading, find);
}

AVAHI_FUNCTIONS(FORWARD)

int clawradar_load_avahi(void) { return load(); }

#endif
