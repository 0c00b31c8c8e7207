#pragma once
// Calls that the platform's Swift module does not import.

// Orders the reads and writes of two threads; usable in a signal handler too.
static inline void system_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#ifdef __linux__
#include <sys/prctl.h>
#include <wchar.h>

// `prctl` is variadic, which Swift can't call.
static inline int system_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int system_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// The headers declare these only under a feature macro, which is too late to set here. The first is in POSIX; `actions` of the
// second is a `posix_spawn_file_actions_t *`, whose header would take types away from the platform's module.
int wcwidth(wchar_t character);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

// Linux only, and under a feature macro too. `flags` 1 is RENAME_NOREPLACE.
int renameat2(int from, const char *name, int to, const char *target, unsigned int flags);
#endif
