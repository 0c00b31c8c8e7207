#include "shim.h"
#include "lazy.h"

// The result of a call when tpm2-tss is not installed.
static const TSS2_RC absent = TSS2_TCTI_RC_NOT_SUPPORTED;

// Most commands take a context and three sessions.
#define CONTEXT ESYS_CONTEXT *context
#define SESSIONS ESYS_TR first, ESYS_TR second, ESYS_TR third
#define ITS first, second, third

// clang-format off
#define FUNCTIONS(F) \
    F(TSS2_RC, Tss2_TctiLdr_Initialize, (const char *name, TSS2_TCTI_CONTEXT **transport), (name, transport), absent) \
    F(void, Tss2_TctiLdr_Finalize, (TSS2_TCTI_CONTEXT **transport), (transport), (void)0) \
    F(TSS2_RC, Tss2_MU_TPM2B_PRIVATE_Marshal, \
      (const TPM2B_PRIVATE *from, uint8_t *to, size_t size, size_t *at), (from, to, size, at), absent) \
    F(TSS2_RC, Tss2_MU_TPM2B_PRIVATE_Unmarshal, \
      (const uint8_t *from, size_t size, size_t *at, TPM2B_PRIVATE *to), (from, size, at, to), absent) \
    F(TSS2_RC, Tss2_MU_TPM2B_PUBLIC_Marshal, \
      (const TPM2B_PUBLIC *from, uint8_t *to, size_t size, size_t *at), (from, to, size, at), absent) \
    F(TSS2_RC, Tss2_MU_TPM2B_PUBLIC_Unmarshal, \
      (const uint8_t *from, size_t size, size_t *at, TPM2B_PUBLIC *to), (from, size, at, to), absent) \
    F(TSS2_RC, Tss2_MU_TPMS_NV_PUBLIC_Unmarshal, \
      (const uint8_t *from, size_t size, size_t *at, TPMS_NV_PUBLIC *to), (from, size, at, to), absent) \
    F(TSS2_RC, Esys_Initialize, (ESYS_CONTEXT **context, TSS2_TCTI_CONTEXT *transport, TSS2_ABI_VERSION *version), \
      (context, transport, version), absent) \
    F(void, Esys_Finalize, (ESYS_CONTEXT **context), (context), (void)0) \
    F(void, Esys_Free, (void *memory), (memory), (void)0) \
    F(TSS2_RC, Esys_TR_FromTPMPublic, (CONTEXT, TPM2_HANDLE handle, SESSIONS, ESYS_TR *object), \
      (context, handle, ITS, object), absent) \
    F(TSS2_RC, Esys_TR_Serialize, (CONTEXT, ESYS_TR object, uint8_t **bytes, size_t *count), \
      (context, object, bytes, count), absent) \
    F(TSS2_RC, Esys_TR_GetName, (CONTEXT, ESYS_TR object, TPM2B_NAME **name), (context, object, name), absent) \
    F(TSS2_RC, Esys_TR_SetAuth, (CONTEXT, ESYS_TR object, const TPM2B_AUTH *auth), (context, object, auth), absent) \
    F(TSS2_RC, Esys_TRSess_SetAttributes, (CONTEXT, ESYS_TR session, TPMA_SESSION flags, TPMA_SESSION mask), \
      (context, session, flags, mask), absent) \
    F(TSS2_RC, Esys_StartAuthSession, \
      (CONTEXT, ESYS_TR key, ESYS_TR bind, SESSIONS, const TPM2B_NONCE *nonce, TPM2_SE kind, \
       const TPMT_SYM_DEF *cipher, TPMI_ALG_HASH hash, ESYS_TR *session), \
      (context, key, bind, ITS, nonce, kind, cipher, hash, session), absent) \
    F(TSS2_RC, Esys_FlushContext, (CONTEXT, ESYS_TR object), (context, object), absent) \
    F(TSS2_RC, Esys_GetCapability, \
      (CONTEXT, SESSIONS, TPM2_CAP kind, UINT32 from, UINT32 count, TPMI_YES_NO *more, TPMS_CAPABILITY_DATA **answer), \
      (context, ITS, kind, from, count, more, answer), absent) \
    F(TSS2_RC, Esys_ReadClock, (CONTEXT, SESSIONS, TPMS_TIME_INFO **time), (context, ITS, time), absent) \
    F(TSS2_RC, Esys_CreatePrimary, \
      (CONTEXT, ESYS_TR hierarchy, SESSIONS, const TPM2B_SENSITIVE_CREATE *secret, const TPM2B_PUBLIC *shape, \
       const TPM2B_DATA *outside, const TPML_PCR_SELECTION *registers, ESYS_TR *object, TPM2B_PUBLIC **open, \
       TPM2B_CREATION_DATA **data, TPM2B_DIGEST **hash, TPMT_TK_CREATION **ticket), \
      (context, hierarchy, ITS, secret, shape, outside, registers, object, open, data, hash, ticket), absent) \
    F(TSS2_RC, Esys_EvictControl, \
      (CONTEXT, ESYS_TR auth, ESYS_TR object, SESSIONS, TPMI_DH_PERSISTENT place, ESYS_TR *there), \
      (context, auth, object, ITS, place, there), absent) \
    F(TSS2_RC, Esys_Create, \
      (CONTEXT, ESYS_TR parent, SESSIONS, const TPM2B_SENSITIVE_CREATE *secret, const TPM2B_PUBLIC *shape, \
       const TPM2B_DATA *outside, const TPML_PCR_SELECTION *registers, TPM2B_PRIVATE **sealed, TPM2B_PUBLIC **open, \
       TPM2B_CREATION_DATA **data, TPM2B_DIGEST **hash, TPMT_TK_CREATION **ticket), \
      (context, parent, ITS, secret, shape, outside, registers, sealed, open, data, hash, ticket), absent) \
    F(TSS2_RC, Esys_Load, \
      (CONTEXT, ESYS_TR parent, SESSIONS, const TPM2B_PRIVATE *sealed, const TPM2B_PUBLIC *open, ESYS_TR *object), \
      (context, parent, ITS, sealed, open, object), absent) \
    F(TSS2_RC, Esys_Unseal, (CONTEXT, ESYS_TR object, SESSIONS, TPM2B_SENSITIVE_DATA **data), \
      (context, object, ITS, data), absent) \
    F(TSS2_RC, Esys_HMAC, \
      (CONTEXT, ESYS_TR key, SESSIONS, const TPM2B_MAX_BUFFER *data, TPMI_ALG_HASH hash, TPM2B_DIGEST **tag), \
      (context, key, ITS, data, hash, tag), absent) \
    F(TSS2_RC, Esys_Sign, \
      (CONTEXT, ESYS_TR key, SESSIONS, const TPM2B_DIGEST *digest, const TPMT_SIG_SCHEME *scheme, \
       const TPMT_TK_HASHCHECK *ticket, TPMT_SIGNATURE **signature), \
      (context, key, ITS, digest, scheme, ticket, signature), absent) \
    F(TSS2_RC, Esys_PolicyAuthValue, (CONTEXT, ESYS_TR policy, SESSIONS), (context, policy, ITS), absent) \
    F(TSS2_RC, Esys_PolicyCounterTimer, \
      (CONTEXT, ESYS_TR policy, SESSIONS, const TPM2B_OPERAND *operand, UINT16 at, TPM2_EO operation), \
      (context, policy, ITS, operand, at, operation), absent) \
    F(TSS2_RC, Esys_PolicyNV, \
      (CONTEXT, ESYS_TR auth, ESYS_TR index, ESYS_TR policy, SESSIONS, const TPM2B_OPERAND *operand, UINT16 at, \
       TPM2_EO operation), \
      (context, auth, index, policy, ITS, operand, at, operation), absent) \
    F(TSS2_RC, Esys_PolicyGetDigest, (CONTEXT, ESYS_TR policy, SESSIONS, TPM2B_DIGEST **digest), \
      (context, policy, ITS, digest), absent) \
    F(TSS2_RC, Esys_NV_DefineSpace, \
      (CONTEXT, ESYS_TR auth, SESSIONS, const TPM2B_AUTH *value, const TPM2B_NV_PUBLIC *shape, ESYS_TR *index), \
      (context, auth, ITS, value, shape, index), absent) \
    F(TSS2_RC, Esys_NV_UndefineSpace, (CONTEXT, ESYS_TR auth, ESYS_TR index, SESSIONS), \
      (context, auth, index, ITS), absent) \
    F(TSS2_RC, Esys_NV_Read, \
      (CONTEXT, ESYS_TR auth, ESYS_TR index, SESSIONS, UINT16 size, UINT16 at, TPM2B_MAX_NV_BUFFER **data), \
      (context, auth, index, ITS, size, at, data), absent) \
    F(TSS2_RC, Esys_NV_Increment, (CONTEXT, ESYS_TR auth, ESYS_TR index, SESSIONS), \
      (context, auth, index, ITS), absent) \
    F(TSS2_RC, Esys_NV_Extend, (CONTEXT, ESYS_TR auth, ESYS_TR index, SESSIONS, const TPM2B_MAX_NV_BUFFER *data), \
      (context, auth, index, ITS, data), absent)
#define OTHERS(F)
// clang-format on

LAZY_LIBRARY("[{\"soname\":[\"libtss2-esys.so.0\"],\"feature\":\"tpm\",\"priority\":\"required\"},"
             "{\"soname\":[\"libtss2-mu.so.0\"],\"feature\":\"tpm\",\"priority\":\"required\"},"
             "{\"soname\":[\"libtss2-tctildr.so.0\"],\"feature\":\"tpm\",\"priority\":\"required\"}]",
             FUNCTIONS, OTHERS, "libtss2-esys.so.0", "libtss2-mu.so.0", "libtss2-tctildr.so.0")

int tpm_software_is_there(void) { return lazy_is_there(); }
