#pragma once
// Calls that the platform's Swift module does not import.

// Orders what two threads write and read, in a handler of a signal too.
static inline void system_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#ifdef __linux__
#include <sys/prctl.h>
#include <wchar.h>

// `prctl` is variadic, which Swift cannot call.
static inline int system_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int system_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// Declared only where a macro asks for them, which is too late here; the first is of POSIX, the second's `actions` are
// `posix_spawn_file_actions_t *`, whose header would take types away from the platform's module.
int wcwidth(wchar_t character);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

// Of Linux, and declared as late. `flags` 1 is RENAME_NOREPLACE.
int renameat2(int from, const char *name, int to, const char *target, unsigned int flags);
#endif
