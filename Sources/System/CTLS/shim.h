#pragma once
#include <malloc.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Neither `<sys/epoll.h>` nor `<sys/eventfd.h>` is in the platform's Swift module, and their flags are enum types.

// Edge-triggered: reports each change once: received bytes, room to write, the end.
static inline int tls_epoll_add_edges(int epoll, int descriptor, uint64_t token) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

// Level-triggered: reports as long as there is something to read.
static inline int tls_epoll_add_level(int epoll, int descriptor, uint64_t token) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int tls_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

static inline int tls_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline uint64_t tls_event_token(const struct epoll_event *event) { return event->data.u64; }
static inline int tls_event_is_end(const struct epoll_event *event) {
    return (event->events & (EPOLLERR | EPOLLHUP)) != 0;
}

static inline int tls_make_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// The headers declare both only under a feature macro, which is too late to set here.
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
void explicit_bzero(void *start, size_t count);

static inline int tls_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// Returns empty pages to the system: by itself the allocator keeps those between used ones.
static inline void tls_trim(void) { malloc_trim(0); }

static inline void tls_wipe(void *start, size_t count) { explicit_bzero(start, count); }

// The functions below wrap macros over `SSL_CTX_ctrl`, which Swift does not import.
static inline int tls_require_version_1_2(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// No renegotiation and no compression; no tickets and no cache, so that no stored key can decrypt recorded traffic; and
// decrypted data is overwritten once it was read.
static inline void tls_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_CLEANSE_PLAINTEXT);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
}
