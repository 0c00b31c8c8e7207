#pragma once
#include "thumbturn.h"

// A device in the memory of this process: what it keeps ends with it, and guards nothing. It shows what each operation has to
// answer; a real one asks a key store, on a thread of its own.
extern const tt_device memory_device;
