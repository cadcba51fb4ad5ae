#pragma once

// The functions are called through CLoading, which loads the library.
#include "../CLoading/dns_sd_functions.h"

#include <dns_sd.h>
#include <stddef.h>

struct sockaddr;

// DNSServiceGetAddrInfo is looked up at run time, because Avahi's library does not have it and its header does not
// declare it. The type names are our own, because Apple's header has its own names for these types.
typedef void (*ClawradarAddressReply)(
    DNSServiceRef service, DNSServiceFlags flags, uint32_t interface, DNSServiceErrorType error, const char *host,
    const struct sockaddr *address, uint32_t ttl, void *context);

typedef DNSServiceErrorType (*ClawradarGetAddressInfo)(
    DNSServiceRef *service, DNSServiceFlags flags, uint32_t interface, uint32_t protocol, const char *host,
    ClawradarAddressReply callback, void *context);

// The allocation functions of libavahi-common. Its setter is looked up at run time as well, and the types are declared
// here because its headers belong to another package. The layout is that of AvahiAllocator in <avahi-common/malloc.h>.
typedef struct ClawradarAllocator {
  void *(*malloc)(size_t size);
  void (*free)(void *memory);
  void *(*realloc)(void *memory, size_t size);
  void *(*calloc)(size_t count, size_t size);
} ClawradarAllocator;

typedef void (*ClawradarSetAllocator)(const ClawradarAllocator *allocator);
