// The C library that Embedded Swift expects, for a WebAssembly page that has none: an allocator, memory and string
// calls, a wide product, and two imports from the host. Single-threaded, as a page's module is.
#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base; // placed by the linker behind the static data

// --- allocator: first fit over a list of freed blocks, else more memory. A block's size lies in front of it. ----------

typedef struct Block {
    size_t byteCount;
    struct Block *next;
} Block;

enum { headerSize = 16, pageSize = 65536, outOfMemory = 12, invalidArgument = 22 };
_Static_assert(sizeof(Block) <= headerSize, "the header must fit in front of the block");

static Block *freed;
static uintptr_t top;

static uintptr_t rounded(uintptr_t value, size_t alignment) { return (value + alignment - 1) & ~(uintptr_t)(alignment - 1); }

static int reserve(uintptr_t end) {
    size_t pages = __builtin_wasm_memory_size(0);
    if (end <= pages * (uintptr_t)pageSize) return 1;
    return __builtin_wasm_memory_grow(0, rounded(end, pageSize) / pageSize - pages) != (size_t)-1;
}

int posix_memalign(void **result, size_t alignment, size_t byteCount) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) return invalidArgument;
    if (byteCount > SIZE_MAX / 2 || alignment > SIZE_MAX / 4) return outOfMemory;
    if (alignment < headerSize) alignment = headerSize;
    byteCount = rounded(byteCount ? byteCount : 1, headerSize);

    for (Block **link = &freed; *link; link = &(*link)->next) {
        uintptr_t start = (uintptr_t)*link + headerSize;
        if ((*link)->byteCount < byteCount || start % alignment != 0) continue;
        *link = (*link)->next;
        *result = (void *)start;
        return 0;
    }

    if (top == 0) top = (uintptr_t)&__heap_base;
    uintptr_t start = rounded(top + headerSize, alignment);
    if (start + byteCount < start || !reserve(start + byteCount)) return outOfMemory;
    top = start + byteCount;
    ((Block *)(start - headerSize))->byteCount = byteCount;
    *result = (void *)start;
    return 0;
}

void free(void *pointer) {
    if (!pointer) return;
    Block *block = (Block *)((uintptr_t)pointer - headerSize);
    block->next = freed;
    freed = block;
}

// --- memory and strings (built with -fno-builtin, or the compiler would turn these loops into calls of themselves) ----

void *memcpy(void *restrict destination, const void *restrict source, size_t count) {
    unsigned char *to = destination;
    const unsigned char *from = source;
    while (count--) *to++ = *from++;
    return destination;
}

void *memmove(void *destination, const void *source, size_t count) {
    unsigned char *to = destination;
    const unsigned char *from = source;
    if (to < from) return memcpy(destination, source, count);
    while (count--) to[count] = from[count];
    return destination;
}

void *memset(void *destination, int byte, size_t count) {
    unsigned char *to = destination;
    while (count--) *to++ = (unsigned char)byte;
    return destination;
}

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (; count--; a++, b++)
        if (*a != *b) return *a - *b;
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

// --- arithmetic: Swift detects overflow of a 64-bit product through the 128-bit one, which wasm does not have ---------

__int128 __multi3(__int128 left, __int128 right) {
    const uint64_t low = 0xffffffff;
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    uint64_t aLow = a & low, aHigh = a >> 32, bLow = b & low, bHigh = b >> 32;

    // Long multiplication in base 2^32; no partial sum can overflow.
    uint64_t first = aLow * bLow;
    uint64_t second = aHigh * bLow + (first >> 32);
    uint64_t third = aLow * bHigh + (second & low);
    uint64_t high = aHigh * bHigh + (second >> 32) + (third >> 32);
    high += a * (uint64_t)(right >> 64) + b * (uint64_t)(left >> 64);
    return (__int128)((unsigned __int128)high << 64 | (third << 32 | (first & low)));
}

// --- the host: the page gives randomness (Dictionary's hash seed) and takes characters -------------------------------

__attribute__((import_module("host"), import_name("random"))) void hostRandom(void *buffer, size_t count);
__attribute__((import_module("host"), import_name("put"))) void hostPut(int character);

void arc4random_buf(void *buffer, size_t count) { hostRandom(buffer, count); }

int putchar(int character) {
    hostPut(character);
    return character;
}

_Noreturn void abort(void) { __builtin_trap(); }
