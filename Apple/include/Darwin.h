// The part of Darwin that the rooms, the command and the tests call, for arm64. Constants and layouts as in Apple's open-source headers
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
typedef uint32_t sigset_t;

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
void *_Nullable memchr(const void *bytes, int byte, size_t count);
errno_t memset_s(void *destination, rsize_t capacity, int byte, rsize_t count);
size_t strlen(const char *text);
char *strerror(int number);
int strerror_r(int number, char *buffer, size_t capacity);
char *strdup(const char *text);

// stdlib.h, sys/random.h
void *malloc(size_t count);
void *calloc(size_t count, size_t size);
void free(void *pointer);
int posix_memalign(void **pointer, size_t alignment, size_t count);
char *getenv(const char *name);
char *realpath(const char *path, char *resolved);
char *mkdtemp(char *pattern);
void arc4random_buf(void *buffer, size_t count);
int getentropy(void *buffer, size_t count);
void abort(void) __attribute__((noreturn));
void exit(int code) __attribute__((noreturn));

// stdio.h
struct __sbuf { unsigned char *_base; int _size; };
struct __sFILEX;
typedef struct __sFILE {
    unsigned char *_p;
    int _r;
    int _w;
    short _flags;
    short _file;
    struct __sbuf _bf;
    int _lbfsize;
    void *_cookie;
    int (*_close)(void *);
    int (*_read)(void *, char *, int);
    off_t (*_seek)(void *, off_t, int);
    int (*_write)(void *, const char *, int);
    struct __sbuf _ub;
    struct __sFILEX *_extra;
    int _ur;
    unsigned char _ubuf[3];
    unsigned char _nbuf[1];
    struct __sbuf _lb;
    int _blksize;
    off_t _offset;
} FILE;
size_t fread(void *start, size_t size, size_t count, FILE *stream);
int fflush(FILE *stream);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
int rename(const char *from, const char *to);
int renameat(int fromFolder, const char *from, int toFolder, const char *to);
#define RENAME_EXCL 0x00000004
int renameatx_np(int fromFolder, const char *from, int toFolder, const char *to, unsigned int flags);

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
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};
struct tm *gmtime_r(const time_t *reading, struct tm *parts);
struct tm *localtime_r(const time_t *reading, struct tm *parts);

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
int mkfifo(const char *path, mode_t mode);
int chmod(const char *path, mode_t mode);
int fchmod(int file, mode_t mode);
int fchmodat(int folder, const char *path, mode_t mode, int flags);
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
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_DUPFD_CLOEXEC 67
#define F_SETNOSIGPIPE 73
#define FD_CLOEXEC 1
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int file, int operation);
struct flock {
    off_t l_start;
    off_t l_len;
    pid_t l_pid;
    short l_type;
    short l_whence;
};
#define F_GETLK 7
#define F_WRLCK 3
// sys/mman.h
#define PROT_NONE 0x00
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t length);
// sys/statvfs.h
struct statvfs {
    unsigned long f_bsize;
    unsigned long f_frsize;
    unsigned int f_blocks;
    unsigned int f_bfree;
    unsigned int f_bavail;
    unsigned int f_files;
    unsigned int f_ffree;
    unsigned int f_favail;
    unsigned long f_fsid;
    unsigned long f_flag;
    unsigned long f_namemax;
};
int statvfs(const char *path, struct statvfs *result);
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
DIR *opendir(const char *path);
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
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_ONLN 58
int access(const char *path, int mode);
int close(int file);
int chdir(const char *path);
int dup(int file);
int dup2(int from, int to);
int isatty(int file);
int pipe(int ends[2]);
void _exit(int code) __attribute__((noreturn));
ssize_t read(int file, void *buffer, size_t count);
ssize_t write(int file, const void *buffer, size_t count);
ssize_t pread(int file, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int file, const void *buffer, size_t count, off_t offset);
off_t lseek(int file, off_t offset, int origin);
int ftruncate(int file, off_t length);
int truncate(const char *path, off_t length);
int fsync(int file);
int unlink(const char *path);
int link(const char *from, const char *to);
int symlink(const char *to, const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int lchown(const char *path, uid_t owner, gid_t group);
int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags);
int unlinkat(int folder, const char *path, int flags);
int rmdir(const char *path);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getegid(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t tcgetpgrp(int terminal);
long sysconf(int name);
unsigned int sleep(unsigned int seconds);
int pause(void);

// pwd.h
struct passwd {
    char *pw_name;
    char *pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    time_t pw_change;
    char *pw_class;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
    time_t pw_expire;
};
struct passwd *getpwuid(uid_t user);

// sys/mman.h
int mlock(const void *start, size_t count);
int munlock(const void *start, size_t count);

// sys/signal.h, signal.h
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGCHLD 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGURG 16
#define SIGIO 23
#define SIGWINCH 28
#define SIGINFO 29
#define SIGUSR1 30
#define SIGUSR2 31
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SA_RESTART 0x0002
typedef void (*sig_t)(int);
union sigval { int sival_int; void *sival_ptr; };
typedef struct __siginfo {
    int si_signo;
    int si_errno;
    int si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    void *si_addr;
    union sigval si_value;
    long si_band;
    unsigned long __pad[7];
} siginfo_t;
union __sigaction_u {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, struct __siginfo *, void *);
};
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
void (*signal(int number, void (*handler)(int)))(int);
int sigaction(int number, const struct sigaction *action, struct sigaction *former);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int raise(int number);
int kill(pid_t process, int number);

// termios.h, sys/ttycom.h
#define ISIG 0x00000080
#define ICANON 0x00000100
#define ECHO 0x00000008
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define TCIFLUSH 1
#define VEOF 0
#define VMIN 16
#define VTIME 17
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
struct termios {
    tcflag_t c_iflag;
    tcflag_t c_oflag;
    tcflag_t c_cflag;
    tcflag_t c_lflag;
    cc_t c_cc[20];
    speed_t c_ispeed;
    speed_t c_ospeed;
};
struct winsize { unsigned short ws_row; unsigned short ws_col; unsigned short ws_xpixel; unsigned short ws_ypixel; };
int tcgetattr(int terminal, struct termios *attributes);
int tcsetattr(int terminal, int when, const struct termios *attributes);
int tcflush(int terminal, int queue);

// poll.h
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
typedef unsigned int nfds_t;
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *files, nfds_t count, int milliseconds);

// sys/resource.h, sys/wait.h
#define RLIMIT_FSIZE 1
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 8
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN -1
#define WNOHANG 0x00000001
#define WEXITED 0x00000004
#define WNOWAIT 0x00000020
typedef uint32_t id_t;
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
    long ru_ixrss;
    long ru_idrss;
    long ru_isrss;
    long ru_minflt;
    long ru_majflt;
    long ru_nswap;
    long ru_inblock;
    long ru_oublock;
    long ru_msgsnd;
    long ru_msgrcv;
    long ru_nsignals;
    long ru_nvcsw;
    long ru_nivcsw;
};
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
int getrusage(int who, struct rusage *usage);
int execv(const char *path, char *const *arguments);
pid_t waitpid(pid_t process, int *status, int options);
int waitid(idtype_t kind, id_t number, siginfo_t *information, int options);
pid_t wait4(pid_t process, int *status, int options, struct rusage *usage);

// spawn.h; pointers here, structures on Linux
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const arguments[], char *const environment[]);
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags);
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *signals);
int posix_spawnattr_setsigmask(posix_spawnattr_t *attributes, const sigset_t *signals);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *actions, int file, const char *path, int flags, mode_t mode);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to);

// pthread.h
struct __darwin_pthread_handler_rec;
struct _opaque_pthread_t { long __sig; struct __darwin_pthread_handler_rec *__cleanup_stack; char __opaque[8176]; };
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; } pthread_attr_t;
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull start)(void *_Nonnull), void *_Nullable context);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable former);
typedef struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

// os/lock.h is a module of its own (`os`), which the rooms do not import.
