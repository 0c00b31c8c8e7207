#include "huge_pages.h"

// Argon2id fills 64 MiB, page by page at random. With pages of 2 MiB that takes a fifth less time, but libsodium maps its memory
// itself (MAP_POPULATE, no address), and the kernel uses such pages only on request (madvise). So this `mmap` serves libsodium's
// request: memory aligned to 2 MiB, with that request made. libsodium frees it by `munmap` as usual, and the kernel zeroes every
// page before it maps it.
//
// No other code maps as much through here: glibc's own calls are bound within glibc, and file mappings are passed on unchanged.
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__linux__) && !defined(SANITIZED)
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const size_t huge = 2 << 20;
static const size_t least = 16 << 20;

static void *map(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    int kind = flags & ~MAP_POPULATE;
    if (address || file != -1 || size < least || size % 4096 || protection != (PROT_READ | PROT_WRITE) ||
        kind != (MAP_PRIVATE | MAP_ANONYMOUS))
        return map(address, size, protection, flags, file, offset);
    char *room = map(NULL, size + huge, protection, kind, -1, 0);
    if (room == MAP_FAILED) return map(NULL, size, protection, flags, -1, 0);
    char *start = (char *)(((uintptr_t)room + huge - 1) & ~(uintptr_t)(huge - 1));
    if (start > room) munmap(room, start - room);
    if (start < room + huge) munmap(start + size, room + huge - start);
    madvise(start, size, MADV_HUGEPAGE);
    return start;
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset) __attribute__((alias("mmap")));
#endif
