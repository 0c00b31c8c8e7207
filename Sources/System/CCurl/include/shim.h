#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>

// Whether libcurl can be loaded; it is, then. What is called without it fails.
int ccurl_is_there(void);

// `curl_easy_setopt` and `curl_easy_getinfo` take arguments of any kind, which Swift does not call.

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_set_copy(CURL *easy, CURLoption option, const void *bytes, size_t count);

// Both are called with `context`.
CURLcode ccurl_set_takers(CURL *easy, curl_write_callback line, curl_write_callback body, void *context);

// 0 where the handle says nothing.
long ccurl_number(CURL *easy, CURLINFO info);

// What curl takes for itself, headers and content among it, is overwritten before it goes back, once this was called, which has
// to be before anything else of curl: it takes no other memory functions later.
int ccurl_prepare(void);

// OpenSSL decrypts a record in a buffer of its own; this lets it overwrite there what was read, and notes what it finds wrong
// with a certificate. Only OpenSSL has such a context; libcurl4-openssl-dev is linked with it.
CURLcode ccurl_prepare_context(CURL *easy);

// What was found wrong first with a certificate in the last transfer of this thread.
enum ccurl_fault {
    CCURL_FAULT_NONE,
    CCURL_FAULT_EXPIRED,
    // It does not hold yet, or has ended together with its authority.
    CCURL_FAULT_CLOCK,
    CCURL_FAULT_AUTHORITY,
    CCURL_FAULT_OTHER,
};
enum ccurl_fault ccurl_certificate_fault(void);

// Starts a thread that hears no signal, on a stack that is the caller's. (Swift knows `pthread_attr_t` from other modules.)
int ccurl_start(pthread_t *thread, void *stack, size_t count, void *(*run)(void *), void *context);
