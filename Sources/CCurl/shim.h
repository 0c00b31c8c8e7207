#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <malloc.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// `curl_easy_setopt` and `curl_easy_getinfo` take arguments of any kind, which Swift does not call.

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_copy(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

// Both are called with `context`.
static inline CURLcode ccurl_set_takers(CURL *easy, curl_write_callback line, curl_write_callback body, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, line);
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    return result != CURLE_OK ? result : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

// 0 where the handle says nothing.
static inline long ccurl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// What curl takes for itself, headers and content among it, is overwritten before it goes back.

void explicit_bzero(void *start, size_t count);

static inline void ccurl_free(void *memory) {
    if (memory) explicit_bzero(memory, malloc_usable_size(memory));
    free(memory);
}

static inline void *ccurl_malloc(size_t count) { return malloc(count); }
static inline void *ccurl_calloc(size_t members, size_t count) { return calloc(members, count); }
static inline char *ccurl_strdup(const char *text) { return strdup(text); }

static inline void *ccurl_realloc(void *former, size_t count) {
    size_t had = former ? malloc_usable_size(former) : 0;
    if (former && count <= had) return former;
    void *memory = malloc(count);
    if (!memory) return NULL;
    if (former) memcpy(memory, former, had);
    ccurl_free(former);
    return memory;
}

// To be called once, before anything else of curl: it takes no other memory functions later.
static inline int ccurl_prepare(void) {
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, ccurl_malloc, ccurl_free, ccurl_realloc, ccurl_strdup,
                                ccurl_calloc) == CURLE_OK;
}

// OpenSSL decrypts a record in a buffer of its own; this overwrites there what was read.
static inline CURLcode ccurl_cleanse_record(CURL *easy, void *context, void *user) {
    SSL_CTX_set_options((SSL_CTX *)context, SSL_OP_CLEANSE_PLAINTEXT);
    return CURLE_OK;
}

// Only OpenSSL has such a context; libcurl4-openssl-dev is linked with it.
static inline CURLcode ccurl_cleanse_records(CURL *easy) {
    const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
    if (!library || strncmp(library, "OpenSSL/", 8) != 0) return CURLE_NOT_BUILT_IN;
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, ccurl_cleanse_record);
}

// Starts a thread that hears no signal, on a stack that is the caller's. (Swift knows `pthread_attr_t` from other modules.)
static inline int ccurl_start(pthread_t *thread, void *stack, size_t count, void *(*run)(void *), void *context) {
    pthread_attr_t attributes;
    sigset_t all, former;
    pthread_attr_init(&attributes);
    int result = pthread_attr_setstack(&attributes, stack, count);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &former);
    if (result == 0) result = pthread_create(thread, &attributes, run, context);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    pthread_attr_destroy(&attributes);
    return result;
}
