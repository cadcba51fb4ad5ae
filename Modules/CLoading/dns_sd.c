// Without the header nothing calls libdns_sd: the target Bonjour cannot be built either.
#if __has_include(<dns_sd.h>)

#include <dns_sd.h>

#include "CLoading.h"
#include "loading.h"

#define FUNCTIONS(F) \
  F(DNSServiceErrorType, DNSServiceBrowse, \
    (DNSServiceRef * reference, DNSServiceFlags flags, uint32_t interface, const char *type, const char *domain, \
     DNSServiceBrowseReply callback, void *context), \
    (reference, flags, interface, type, domain, callback, context)) \
  F(DNSServiceErrorType, DNSServiceResolve, \
    (DNSServiceRef * reference, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type, \
     const char *domain, DNSServiceResolveReply callback, void *context), \
    (reference, flags, interface, name, type, domain, callback, context)) \
  F(DNSServiceErrorType, DNSServiceQueryRecord, \
    (DNSServiceRef * reference, DNSServiceFlags flags, uint32_t interface, const char *name, uint16_t type, \
     uint16_t class, DNSServiceQueryRecordReply callback, void *context), \
    (reference, flags, interface, name, type, class, callback, context)) \
  F(DNSServiceErrorType, DNSServiceRegister, \
    (DNSServiceRef * reference, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type, \
     const char *domain, const char *host, uint16_t port, uint16_t size, const void *txt, \
     DNSServiceRegisterReply callback, void *context), \
    (reference, flags, interface, name, type, domain, host, port, size, txt, callback, context)) \
  F(DNSServiceErrorType, DNSServiceUpdateRecord, \
    (DNSServiceRef reference, DNSRecordRef record, DNSServiceFlags flags, uint16_t size, const void *data, uint32_t ttl), \
    (reference, record, flags, size, data, ttl)) \
  F(DNSServiceErrorType, DNSServiceProcessResult, (DNSServiceRef reference), (reference)) \
  F(int, DNSServiceRefSockFD, (DNSServiceRef reference), (reference)) \
  F(void, DNSServiceRefDeallocate, (DNSServiceRef reference), (reference))

FUNCTIONS(POINTER)

static void *library;

static bool find(void) {
  // Debian and its kin install both libraries under the first name; Apple's own build has only the second. It is never
  // closed: its functions must stay valid.
  if (library == NULL) library = dlopen("libdns_sd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libdns_sd.so", RTLD_NOW | RTLD_LOCAL);
  return library FUNCTIONS(FIND);
}

static int load(void) {
  static struct loading loading = {false, PTHREAD_MUTEX_INITIALIZER};
  return load_once(&loading, find);
}

FUNCTIONS(FORWARD)

int clawradar_load_dns_sd(void) { return load(); }

void *clawradar_dns_sd_function(const char *name) { return load() == 0 ? dlsym(library, name) : NULL; }

#endif
