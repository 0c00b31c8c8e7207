// The part of Darwin that the library rooms call, for arm64. Constants and layouts as in Apple's open-source headers
// (xnu and Libc); a declaration that is wrong here would be believed, so add only what was looked up.
#pragma once
#include <stddef.h>
#include <stdint.h>

// sys/types.h
typedef long ssize_t;
typedef size_t rsize_t;
typedef int errno_t;
typedef int32_t dev_t;
typedef int32_t pid_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint64_t ino_t;
typedef int64_t off_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef long time_t;
typedef int32_t suseconds_t;

// errno.h
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define EDEADLK 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define ERANGE 34
#define EAGAIN 35
#define ENOTSUP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define ESTALE 70
#define ENOLCK 77
#define ENOSYS 78
#define EOVERFLOW 84
#define ECANCELED 89
#define EWOULDBLOCK EAGAIN

// string.h, strings.h
void *memcpy(void *destination, const void *source, size_t count);
void *memmove(void *destination, const void *source, size_t count);
void *memset(void *destination, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
errno_t memset_s(void *destination, rsize_t capacity, int byte, rsize_t count);
size_t strlen(const char *text);
char *strerror(int number);
int strerror_r(int number, char *buffer, size_t capacity);

// stdlib.h, sys/random.h
void *malloc(size_t count);
void *calloc(size_t count, size_t size);
void free(void *pointer);
int posix_memalign(void **pointer, size_t alignment, size_t count);
char *getenv(const char *name);
char *realpath(const char *path, char *resolved);
void arc4random_buf(void *buffer, size_t count);
int getentropy(void *buffer, size_t count);
void abort(void) __attribute__((noreturn));

// stdio.h
typedef struct __sFILE FILE;
int rename(const char *from, const char *to);
int renameat(int fromFolder, const char *from, int toFolder, const char *to);

// locale.h, wchar.h
#define LC_CTYPE 2
char *setlocale(int category, const char *locale);
int wcwidth(wchar_t character);

// time.h, sys/time.h
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC_RAW = 4,
    _CLOCK_MONOTONIC_RAW_APPROX = 5,
    _CLOCK_MONOTONIC = 6,
    _CLOCK_UPTIME_RAW = 8,
    _CLOCK_UPTIME_RAW_APPROX = 9,
} clockid_t;
int clock_gettime(clockid_t clock, struct timespec *reading);
uint64_t clock_gettime_nsec_np(clockid_t clock);
int gettimeofday(struct timeval *reading, void *zone);
time_t time(time_t *reading);

// sys/sysctl.h
int sysctlbyname(const char *name, void *value, size_t *valueCount, void *newValue, size_t newCount);

// sys/stat.h
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    int64_t st_blocks;
    int32_t st_blksize;
    uint32_t st_flags;
    uint32_t st_gen;
    int32_t st_lspare;
    int64_t st_qspare[2];
};
int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
int fstat(int file, struct stat *result);
int fstatat(int folder, const char *path, struct stat *result, int flags);
int mkdir(const char *path, mode_t mode);
int mkdirat(int folder, const char *path, mode_t mode);
int chmod(const char *path, mode_t mode);
int fchmod(int file, mode_t mode);
mode_t umask(mode_t mask);

// fcntl.h, sys/file.h
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_NOCTTY 0x00020000
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_REMOVEDIR 0x0080
#define F_SETFD 2
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int file, int operation);
int usleep(uint32_t microseconds);

// dirent.h
struct dirent {
    uint64_t d_ino;
    uint64_t d_seekoff;
    uint16_t d_reclen;
    uint16_t d_namlen;
    uint8_t d_type;
    char d_name[1024];
};
typedef struct _dirdesc DIR;
DIR *fdopendir(int folder);
struct dirent *readdir(DIR *stream);
int closedir(DIR *stream);

// unistd.h
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_END 2
int access(const char *path, int mode);
int close(int file);
ssize_t read(int file, void *buffer, size_t count);
ssize_t write(int file, const void *buffer, size_t count);
ssize_t pread(int file, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int file, const void *buffer, size_t count, off_t offset);
off_t lseek(int file, off_t offset, int origin);
int ftruncate(int file, off_t length);
int fsync(int file);
int unlink(const char *path);
int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags);
int unlinkat(int folder, const char *path, int flags);
int rmdir(const char *path);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getegid(void);
pid_t getpid(void);

// sys/mman.h
int mlock(const void *start, size_t count);
int munlock(const void *start, size_t count);

// pthread.h
typedef struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

// os/lock.h is a module of its own (`os`), which the rooms do not import.
