#pragma once

// The functions are called through CLoading, which loads the library.
#include "../CLoading/avahi_functions.h"

#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/defs.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <avahi-common/watch.h>

// Swift's own module for the C library leaves this header out; the timer of Avahi's poll loop is built with it.
#include <sys/timerfd.h>
