#pragma once

/// Loads libavahi-client, with libavahi-common and libdbus, which it needs, unless they are loaded already. Any thread may call
/// it, again after a failure, too. After it the functions of these libraries can be called.
///
/// Returns 0, or an error number: ENOENT where a library is not there or is not what it should be.
int clawradar_load_avahi(void);

/// Loads libdns_sd in the same way, Avahi's or Apple's.
int clawradar_load_dns_sd(void);

/// Returns a function of libdns_sd or of a library that it needs; NULL if there is none.
void *clawradar_dns_sd_function(const char *name);
