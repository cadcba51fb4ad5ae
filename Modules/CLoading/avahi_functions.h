#pragma once

// The functions of libavahi-client, libavahi-common and libdbus that the target Avahi calls.

#include "renaming.h"

#define AVAHI_FUNCTIONS(F) \
  F(AvahiClient *, avahi_client_new, \
    (const AvahiPoll *poll, AvahiClientFlags flags, AvahiClientCallback callback, void *context, int *error), \
    (poll, flags, callback, context, error)) \
  F(void, avahi_client_free, (AvahiClient * client), (client)) \
  F(int, avahi_client_errno, (AvahiClient * client), (client)) \
  F(AvahiClientState, avahi_client_get_state, (AvahiClient * client), (client)) \
  F(AvahiServiceBrowser *, avahi_service_browser_new, \
    (AvahiClient * client, AvahiIfIndex interface, AvahiProtocol protocol, const char *type, const char *domain, \
     AvahiLookupFlags flags, AvahiServiceBrowserCallback callback, void *context), \
    (client, interface, protocol, type, domain, flags, callback, context)) \
  F(int, avahi_service_browser_free, (AvahiServiceBrowser * browser), (browser)) \
  F(AvahiServiceResolver *, avahi_service_resolver_new, \
    (AvahiClient * client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, const char *type, \
     const char *domain, AvahiProtocol address, AvahiLookupFlags flags, AvahiServiceResolverCallback callback, \
     void *context), \
    (client, interface, protocol, name, type, domain, address, flags, callback, context)) \
  F(int, avahi_service_resolver_free, (AvahiServiceResolver * resolver), (resolver)) \
  F(AvahiRecordBrowser *, avahi_record_browser_new, \
    (AvahiClient * client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, uint16_t class, \
     uint16_t type, AvahiLookupFlags flags, AvahiRecordBrowserCallback callback, void *context), \
    (client, interface, protocol, name, class, type, flags, callback, context)) \
  F(int, avahi_record_browser_free, (AvahiRecordBrowser * browser), (browser)) \
  F(AvahiEntryGroup *, avahi_entry_group_new, \
    (AvahiClient * client, AvahiEntryGroupCallback callback, void *context), (client, callback, context)) \
  F(int, avahi_entry_group_free, (AvahiEntryGroup * group), (group)) \
  F(int, avahi_entry_group_commit, (AvahiEntryGroup * group), (group)) \
  F(int, avahi_entry_group_reset, (AvahiEntryGroup * group), (group)) \
  F(int, avahi_entry_group_add_service_strlst, \
    (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags, const char *name, \
     const char *type, const char *domain, const char *host, uint16_t port, AvahiStringList *txt), \
    (group, interface, protocol, flags, name, type, domain, host, port, txt)) \
  F(int, avahi_entry_group_add_service_subtype, \
    (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags, const char *name, \
     const char *type, const char *domain, const char *subtype), \
    (group, interface, protocol, flags, name, type, domain, subtype)) \
  F(int, avahi_entry_group_update_service_txt_strlst, \
    (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags, const char *name, \
     const char *type, const char *domain, AvahiStringList *txt), \
    (group, interface, protocol, flags, name, type, domain, txt)) \
  F(AvahiSimplePoll *, avahi_simple_poll_new, (void), ()) \
  F(void, avahi_simple_poll_free, (AvahiSimplePoll * poll), (poll)) \
  F(const AvahiPoll *, avahi_simple_poll_get, (AvahiSimplePoll * poll), (poll)) \
  F(int, avahi_simple_poll_iterate, (AvahiSimplePoll * poll, int timeout), (poll, timeout)) \
  F(const char *, avahi_strerror, (int error), (error)) \
  F(AvahiStringList *, avahi_string_list_add_arbitrary, (AvahiStringList * list, const uint8_t *text, size_t size), \
    (list, text, size)) \
  F(void, avahi_string_list_free, (AvahiStringList * list), (list)) \
  F(AvahiStringList *, avahi_string_list_get_next, (AvahiStringList * list), (list)) \
  F(size_t, avahi_string_list_get_size, (AvahiStringList * list), (list)) \
  F(uint8_t *, avahi_string_list_get_text, (AvahiStringList * list), (list)) \
  F(void, dbus_connection_set_change_sigpipe, (unsigned int is_changed), (is_changed))

AVAHI_FUNCTIONS(RENAME)
