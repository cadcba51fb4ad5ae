#pragma once

#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/defs.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <avahi-common/watch.h>

// What Swift's own module for the C library leaves out, and what the timer of Avahi's poll loop is made of.
#include <sys/timerfd.h>
