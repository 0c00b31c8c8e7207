#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>

// Whether libcurl can be loaded; loads it. Without it the calls below fail.
int ccurl_is_there(void);

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, which Swift can't call.

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_set_copy(CURL *easy, CURLoption option, const void *bytes, size_t count);

// Both callbacks get `context`.
CURLcode ccurl_set_takers(CURL *easy, curl_write_callback line, curl_write_callback body, void *context);

// Returns 0 if the handle has no value.
long ccurl_number(CURL *easy, CURLINFO info);

// Makes curl overwrite its own memory, which includes headers and content, before freeing it. Call this before any other
// function of curl, which accepts no other memory functions later.
int ccurl_prepare(void);

// Makes OpenSSL overwrite the buffer in which it decrypts a record once that was read, and records certificate faults.
// Only OpenSSL has such a context; libcurl4-openssl-dev is linked with it.
CURLcode ccurl_prepare_context(CURL *easy);

// The first certificate fault in the last transfer of this thread.
enum ccurl_fault {
    CCURL_FAULT_NONE,
    CCURL_FAULT_EXPIRED,
    // The certificate is not valid yet, or has expired together with its authority.
    CCURL_FAULT_CLOCK,
    CCURL_FAULT_AUTHORITY,
    CCURL_FAULT_OTHER,
};
enum ccurl_fault ccurl_certificate_fault(void);

// Starts a thread with all signals blocked, on the caller's stack memory. (Swift knows `pthread_attr_t` from other modules.)
int ccurl_start(pthread_t *thread, void *stack, size_t count, void *(*run)(void *), void *context);
