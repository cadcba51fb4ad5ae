#pragma once

// The functions of libdns_sd that the target Bonjour calls.

#include "renaming.h"

#define DNS_SD_FUNCTIONS(F) \
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

DNS_SD_FUNCTIONS(RENAME)
