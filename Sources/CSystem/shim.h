#pragma once
// Calls that the platform's Swift module does not import.
#ifdef __linux__
#include <sys/prctl.h>
#include <wchar.h>

// `prctl` is variadic, which Swift cannot call.
static inline int system_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int system_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// Of POSIX, but declared only where a macro asks for it, which is too late here.
int wcwidth(wchar_t character);
#endif
