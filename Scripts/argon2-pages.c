// Times one Argon2id of 64 MiB and three passes: by libsodium, which takes its memory itself, and by libargon2, which can be
// given memory in pages of 4 KiB or of 2 MiB. Why the vault uses the first, and gives it memory in huge pages,
// is told in docs/decisions/0023-speed.md.
//
// usage: cc -O2 Scripts/argon2-pages.c -lsodium -largon2 -o argon2-pages && ./argon2-pages
// With Sources/System/CHugePages/huge_pages.c and -ISources/System/CHugePages/include beside it, libsodium has huge pages too.
#include <argon2.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { hugePage = 2 << 20, passes = 3, kibibytes = 65536, runs = 15 };
static int advice;

static size_t mapped(size_t count) { return (count + 2 * hugePage - 1) & ~(size_t)(hugePage - 1); }

static int allocate(uint8_t **memory, size_t count) {
    void *pages = mmap(NULL, mapped(count), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return -1;
    madvise(pages, mapped(count), advice);
    *memory = pages;
    return 0;
}

static void release(uint8_t *memory, size_t count) { munmap(memory, mapped(count)); }

static double run(int kind) {
    unsigned char key[32], salt[16] = {1}, password[] = "password";
    argon2_context context = {.out = key, .outlen = 32, .pwd = password, .pwdlen = 8, .salt = salt, .saltlen = 16,
                              .t_cost = passes, .m_cost = kibibytes, .lanes = 1, .threads = 1, .version = 0x13,
                              .allocate_cbk = allocate, .free_cbk = release};
    struct timespec from, to;
    advice = kind == 1 ? MADV_NOHUGEPAGE : MADV_HUGEPAGE;
    clock_gettime(CLOCK_MONOTONIC, &from);
    int failed = kind == 0 ? crypto_pwhash(key, 32, (char *)password, 8, salt, passes, kibibytes * 1024ull,
                                           crypto_pwhash_ALG_ARGON2ID13)
                           : argon2id_ctx(&context);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (failed) exit(1);
    return (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) / 1e6;
}

static int ascending(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }

int main(void) {
    static const char *names[] = {"libsodium", "libargon2, 4 KiB", "libargon2, 2 MiB"};
    double times[3][runs];
    if (sodium_init() < 0) return 1;
    for (int i = 0; i < runs; i++)
        for (int kind = 0; kind < 3; kind++) times[kind][i] = run(kind);
    for (int kind = 0; kind < 3; kind++) {
        qsort(times[kind], runs, sizeof(double), ascending);
        printf("%-18s median %6.1f ms\n", names[kind], times[kind][runs / 2]);
    }
}
