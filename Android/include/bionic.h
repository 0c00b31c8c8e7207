// What the rooms call of Android's C library, written by hand: names, types and which pointers may be null, as the NDK's
// headers have them (r27d, API 30). Swift takes a pointer that may not be null for another type, so that is half of what this
// check finds. `struct stat` has its members, not its layout: nothing that is compiled against this file ever runs.
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t, off_t, time_t, suseconds_t;
typedef unsigned int uid_t, gid_t, mode_t, nlink_t, useconds_t;
typedef unsigned long dev_t, ino_t, fsblkcnt_t, fsfilcnt_t;
typedef int pid_t, clockid_t;
typedef unsigned int wint_t;

// errno.h. Swift's module gives the variable.
int *_Nonnull __errno(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define ENOLCK 37
#define ENOSYS 38
#define ELOOP 40
#define ENOTSUP 95
#define EDQUOT 122
#define EWOULDBLOCK EAGAIN

// fcntl.h, sys/file.h
#define O_RDONLY 0
#define O_WRONLY 01
#define O_RDWR 02
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_NONBLOCK 04000
#define O_CLOEXEC 02000000
#if defined(__aarch64__)
#define O_DIRECTORY 040000
#define O_NOFOLLOW 0100000
#else
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#endif
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define F_GETLK 5
#define F_WRLCK 1
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
struct flock {
    short l_type, l_whence;
    off_t l_start, l_len;
    pid_t l_pid;
};
int fcntl(int fd, int operation, ...);
int flock(int fd, int operation);
int open(const char *_Nonnull path, int flags, ...);
int openat(int folder, const char *_Nonnull path, int flags, ...);

// unistd.h
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int access(const char *_Nonnull path, int mode);
int close(int fd);
int fdatasync(int fd);
int fsync(int fd);
uid_t geteuid(void);
ssize_t pread(int fd, void *_Nonnull buffer, size_t count, off_t offset);
ssize_t pwrite(int fd, const void *_Nonnull buffer, size_t count, off_t offset);
int unlink(const char *_Nonnull path);
int unlinkat(int folder, const char *_Nonnull path, int flags);
int usleep(useconds_t microseconds);

// stdio.h
typedef struct __sFILE FILE;
int rename(const char *_Nonnull from, const char *_Nonnull to);
// From API 30; CSystem declares it.
int renameat2(int folder, const char *_Nonnull from, int other, const char *_Nonnull to, unsigned int flags);
int renameat(int folder, const char *_Nonnull from, int other, const char *_Nonnull to);

// stdlib.h, string.h, wchar.h
void free(void *_Nullable memory);
void *_Nullable calloc(size_t count, size_t each);
void *_Nullable malloc(size_t count);
char *_Nullable realpath(const char *_Nonnull path, char *_Nullable resolved);
int memcmp(const void *_Nonnull left, const void *_Nonnull right, size_t count);
void *_Nonnull memcpy(void *_Nonnull to, const void *_Nonnull from, size_t count);
void *_Nonnull memmove(void *_Nonnull to, const void *_Nonnull from, size_t count);
void *_Nonnull memset(void *_Nonnull to, int byte, size_t count);
char *_Nullable strdup(const char *_Nonnull text);
size_t strlen(const char *_Nonnull text);
int wcwidth(wchar_t character);

// dirent.h
typedef struct DIR DIR;
struct dirent {
    uint64_t d_ino;
    int64_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};
int closedir(DIR *_Nonnull folder);
DIR *_Nullable fdopendir(int fd);
struct dirent *_Nullable readdir(DIR *_Nonnull folder);

// time.h
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_BOOTTIME 7
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *_Nullable tm_zone;
};
int clock_gettime(clockid_t clock, struct timespec *_Nonnull time);

// sys/mman.h, sys/prctl.h. MAP_FAILED is a cast, which Swift can't import.
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
void *_Nonnull mmap(void *_Nullable address, size_t count, int protection, int flags, int fd, off_t offset);
int munmap(void *_Nonnull address, size_t count);
#define PR_GET_DUMPABLE 3
#define PR_SET_DUMPABLE 4
int prctl(int operation, ...);

// sys/stat.h, sys/statvfs.h. Swift's module has the same names once more, of type mode_t.
#define S_IFMT 00170000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_ISVTX 0001000
struct stat {
    dev_t st_dev;
    ino_t st_ino;
    mode_t st_mode;
#if defined(__aarch64__)
    nlink_t st_nlink;
#else
    unsigned long st_nlink;
#endif
    uid_t st_uid;
    gid_t st_gid;
    off_t st_size;
    struct timespec st_atim, st_mtim, st_ctim;
};
struct statvfs {
    unsigned long f_bsize, f_frsize;
    fsblkcnt_t f_blocks, f_bfree, f_bavail;
    fsfilcnt_t f_files, f_ffree, f_favail;
    unsigned long f_fsid, f_flag, f_namemax;
};
int fchmod(int fd, mode_t mode);
int fchmodat(int folder, const char *_Nonnull path, mode_t mode, int flags);
int fstat(int fd, struct stat *_Nonnull status);
int fstatat(int folder, const char *_Nullable path, struct stat *_Nonnull status, int flags);
int mkdir(const char *_Nonnull path, mode_t mode);
int statvfs(const char *_Nonnull path, struct statvfs *_Nonnull status);

// signal.h
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGSEGV 11
#define SIGSYS 31
#define SIG_SETMASK 2
#if defined(__aarch64__)
typedef struct {
    unsigned long sig[1];
} sigset_t;
#else
typedef unsigned long sigset_t;
#endif
int sigdelset(sigset_t *_Nonnull set, int signal);
int sigfillset(sigset_t *_Nonnull set);
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable former);

// pthread.h
typedef long pthread_t;
typedef int pthread_key_t, pthread_once_t;
typedef long pthread_condattr_t;
typedef long pthread_mutexattr_t;
typedef struct { int words[14]; } pthread_attr_t;
typedef struct { int words[10]; } pthread_mutex_t;
typedef struct { int words[12]; } pthread_cond_t;
int pthread_cond_broadcast(pthread_cond_t *_Nonnull condition);
int pthread_cond_destroy(pthread_cond_t *_Nonnull condition);
int pthread_cond_init(pthread_cond_t *_Nonnull condition, const pthread_condattr_t *_Nullable attributes);
int pthread_cond_signal(pthread_cond_t *_Nonnull condition);
int pthread_cond_timedwait(
    pthread_cond_t *_Nonnull condition, pthread_mutex_t *_Nonnull mutex, const struct timespec *_Nullable time);
int pthread_cond_wait(pthread_cond_t *_Nonnull condition, pthread_mutex_t *_Nonnull mutex);
int pthread_condattr_destroy(pthread_condattr_t *_Nonnull attributes);
int pthread_condattr_init(pthread_condattr_t *_Nonnull attributes);
int pthread_condattr_setclock(pthread_condattr_t *_Nonnull attributes, clockid_t clock);
int pthread_create(
    pthread_t *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable context);
int pthread_detach(pthread_t thread);
int pthread_join(pthread_t thread, void *_Nullable *_Nullable result);
int pthread_key_create(pthread_key_t *_Nonnull key, void (*_Nullable end)(void *_Nullable));
int pthread_key_delete(pthread_key_t key);
void *_Nullable pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *_Nullable value);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_init(pthread_mutex_t *_Nonnull mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull mutex);
