#include "shim.h"
#include "lazy.h"
#include <malloc.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define FUNCTIONS(F) \
    F(CURL *, curl_easy_init, (void), (), NULL) \
    F(void, curl_easy_cleanup, (CURL *easy), (easy), (void)0) \
    F(CURLHcode, curl_easy_header, \
      (CURL *easy, const char *name, size_t index, unsigned origin, int request, struct curl_header **header), \
      (easy, name, index, origin, request, header), CURLHE_NOT_BUILT_IN) \
    F(CURLM *, curl_multi_init, (void), (), NULL) \
    F(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi), CURLM_BAD_HANDLE) \
    F(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_BAD_HANDLE) \
    F(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_BAD_HANDLE) \
    F(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running), CURLM_BAD_HANDLE) \
    F(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left), NULL) \
    F(CURLMcode, curl_multi_poll, \
      (CURLM *multi, struct curl_waitfd more[], unsigned count, int timeout, int *result), \
      (multi, more, count, timeout, result), CURLM_BAD_HANDLE) \
    F(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi), CURLM_BAD_HANDLE) \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text), NULL) \
    F(void, curl_slist_free_all, (struct curl_slist *list), (list), (void)0)
#define OTHERS(F) \
    F(, curl_global_init_mem, , , ) \
    F(, curl_version_info, , , ) \
    F(, curl_easy_setopt, , , ) \
    F(, curl_easy_getinfo, , , ) \
    F(, SSL_CTX_set_options, , , ) \
    F(, SSL_CTX_set_verify, , , ) \
    F(, X509_STORE_CTX_get_error, , , ) \
    F(, X509_STORE_CTX_get_error_depth, , , ) \
    F(, X509_STORE_CTX_get0_cert, , , ) \
    F(, X509_get0_notAfter, , , ) \
    F(, X509_cmp_current_time, , , )
// clang-format on

LAZY_LIBRARY("[{\"soname\":[\"libcurl.so.4\"],\"feature\":\"account\",\"priority\":\"required\"},"
             "{\"soname\":[\"libssl.so.3\"],\"feature\":\"account\",\"priority\":\"required\"}]",
             FUNCTIONS, OTHERS, "libcurl.so.4", "libssl.so.3")

int ccurl_is_there(void) { return lazy_is_there(); }

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
    return lazy_is_there() ? lazy_curl_easy_setopt(easy, option, value) : CURLE_FAILED_INIT;
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return lazy_is_there() ? lazy_curl_easy_setopt(easy, option, value) : CURLE_FAILED_INIT;
}

CURLcode ccurl_set_copy(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return ccurl_set_pointer(easy, option, &blob);
}

CURLcode ccurl_set_takers(CURL *easy, curl_write_callback line, curl_write_callback body, void *context) {
    if (!lazy_is_there()) return CURLE_FAILED_INIT;
    CURLcode result = lazy_curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, line);
    if (result == CURLE_OK) result = lazy_curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (result == CURLE_OK) result = lazy_curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    return result != CURLE_OK ? result : lazy_curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

long ccurl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    return lazy_is_there() && lazy_curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// --- memory ---

void explicit_bzero(void *start, size_t count);

static void wiping_free(void *memory) {
    if (memory) explicit_bzero(memory, malloc_usable_size(memory));
    free(memory);
}

static void *wiping_realloc(void *former, size_t count) {
    size_t had = former ? malloc_usable_size(former) : 0;
    if (former && count <= had) return former;
    void *memory = malloc(count);
    if (!memory) return NULL;
    if (former) memcpy(memory, former, had);
    wiping_free(former);
    return memory;
}

int ccurl_prepare(void) {
    return lazy_is_there() && lazy_curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, wiping_free, wiping_realloc,
                                                        strdup, calloc) == CURLE_OK;
}

// --- certificate faults ---

// Each transfer has its own thread, on which OpenSSL also verifies.
static _Thread_local enum ccurl_fault fault;

static enum ccurl_fault fault_of(X509_STORE_CTX *verification) {
    switch (lazy_X509_STORE_CTX_get_error(verification)) {
    case X509_V_ERR_CERT_NOT_YET_VALID: return CCURL_FAULT_CLOCK;
    case X509_V_ERR_CERT_HAS_EXPIRED: {
        // The chain is verified from the authority, which outlives its certificates: if both have expired, the clock is
        // more likely wrong than they are.
        X509 *own = lazy_X509_STORE_CTX_get0_cert(verification);
        int both = own && lazy_X509_STORE_CTX_get_error_depth(verification) > 0 &&
                   lazy_X509_cmp_current_time(lazy_X509_get0_notAfter(own)) < 0;
        return both ? CCURL_FAULT_CLOCK : CCURL_FAULT_EXPIRED;
    }
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED: return CCURL_FAULT_AUTHORITY;
    default: return CCURL_FAULT_OTHER;
    }
}

// Records OpenSSL's first error without changing its result.
static int note_fault(int is_right, X509_STORE_CTX *verification) {
    if (!is_right && fault == CCURL_FAULT_NONE) fault = fault_of(verification);
    return is_right;
}

enum ccurl_fault ccurl_certificate_fault(void) { return fault; }

static CURLcode prepare_context(CURL *easy, void *context, void *user) {
    fault = CCURL_FAULT_NONE;
    lazy_SSL_CTX_set_options(context, SSL_OP_CLEANSE_PLAINTEXT);
    lazy_SSL_CTX_set_verify(context, SSL_VERIFY_PEER, note_fault);
    return CURLE_OK;
}

CURLcode ccurl_prepare_context(CURL *easy) {
    if (!lazy_is_there()) return CURLE_FAILED_INIT;
    const char *library = lazy_curl_version_info(CURLVERSION_NOW)->ssl_version;
    if (!library || strncmp(library, "OpenSSL/", 8) != 0) return CURLE_NOT_BUILT_IN;
    return lazy_curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, prepare_context);
}

// --- the thread ---

int ccurl_start(pthread_t *thread, void *stack, size_t count, void *(*run)(void *), void *context) {
    pthread_attr_t attributes;
    sigset_t all, former;
    pthread_attr_init(&attributes);
    int result = pthread_attr_setstack(&attributes, stack, count);
    sigfillset(&all);
    // A fault of the thread's own stays a fault of the program, which then gives the terminal its echo back.
    const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_BLOCK, &all, &former);
    if (result == 0) result = pthread_create(thread, &attributes, run, context);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    pthread_attr_destroy(&attributes);
    return result;
}
