#pragma once
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

// `<sys/eventfd.h>` is not in the platform's Swift module, and its flags are an enum type.
static inline int bus_make_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
