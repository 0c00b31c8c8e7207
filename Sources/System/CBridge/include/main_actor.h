#pragma once

#include <stdint.h>

// Makes an executor that of Swift's main actor, for the whole process and for good: `identity` is the object, which lives for
// ever, and `conformance` its table for `SerialExecutor`, as an `UnownedSerialExecutor` has them.
void main_actor_serve(void *identity, uintptr_t conformance);
