#pragma once

// One set of Swift types for avahi-common: without this line the headers below would bring in a second one.
#pragma clang module import CAvahiCommon

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>

// libavahi-client speaks through libdbus, which by default makes the whole process ignore SIGPIPE. That choice belongs
// to the program that embeds us. Declared here because the headers of libdbus are not in the default search path.
void dbus_connection_set_change_sigpipe(unsigned int will_modify_sigpipe);
