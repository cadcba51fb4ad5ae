#pragma once

// The functions are called through CLoading, which loads the library. Before the import, which includes the same file.
#include "../CLoading/avahi_functions.h"

// Uses the Swift types of the module CAvahiCommon: without this line the headers below would declare them a second
// time.
#pragma clang module import CAvahiCommon

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>

// libavahi-client talks to the daemon through libdbus, which by default makes the whole process ignore SIGPIPE. That
// choice belongs to the program that embeds this package. The function is declared here because the headers of libdbus
// are not in the default search path.
void dbus_connection_set_change_sigpipe(unsigned int will_modify_sigpipe);
