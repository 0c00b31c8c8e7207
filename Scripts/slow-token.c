// A PKCS#11 module that is SoftHSM's, but for signatures: each takes a tenth of a second, as on a token for few of them.
//
// usage: cc -shared -fPIC -O2 Scripts/slow-token.c -o slow-token.so

#define _GNU_SOURCE
#include <dlfcn.h>
#include <p11-kit-1/p11-kit/pkcs11.h>
#include <time.h>

static CK_FUNCTION_LIST slow;
static CK_FUNCTION_LIST_PTR real;

static CK_RV sign(CK_SESSION_HANDLE session, CK_BYTE_PTR data, CK_ULONG length, CK_BYTE_PTR signature, CK_ULONG_PTR room) {
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    return real->C_Sign(session, data, length, signature, room);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list) {
    void *module = dlopen("/usr/lib/softhsm/libsofthsm2.so", RTLD_NOW | RTLD_LOCAL);
    CK_C_GetFunctionList get = module ? (CK_C_GetFunctionList)dlsym(module, "C_GetFunctionList") : NULL;
    if (!get || get(&real) != CKR_OK) return CKR_GENERAL_ERROR;
    slow = *real;
    slow.C_Sign = sign;
    *list = &slow;
    return CKR_OK;
}
