#pragma once
// For `mallopt`, which the platform's Swift module does not import: tpm2-tss does not wipe its memory itself.
#include <malloc.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tctildr.h>

// Whether tpm2-tss can be loaded; loads it. Without it the calls fail.
int tpm_software_is_there(void);

// A transport's macros call through its function table, and Swift does not import them.
static inline TSS2_RC tcti_get_poll_handles(TSS2_TCTI_CONTEXT *transport, TSS2_TCTI_POLL_HANDLE *handles,
                                            size_t *count) {
    return Tss2_Tcti_GetPollHandles(transport, handles, count);
}

// Swift does not import macros composed of other macros. These are the ones we use, as typed constants.
static const TPM2_RC tpm_rc_initialize = TPM2_RC_INITIALIZE;
static const TPM2_RC tpm_rc_failure = TPM2_RC_FAILURE;
static const TPM2_RC tpm_rc_policy = TPM2_RC_POLICY;
static const TPM2_RC tpm_rc_auth_unavailable = TPM2_RC_AUTH_UNAVAILABLE;
static const TPM2_RC tpm_rc_nv_uninitialized = TPM2_RC_NV_UNINITIALIZED;
static const TPM2_RC tpm_rc_nv_space = TPM2_RC_NV_SPACE;
static const TPM2_RC tpm_rc_nv_defined = TPM2_RC_NV_DEFINED;
static const TPM2_RC tpm_rc_handle = TPM2_RC_HANDLE;
static const TPM2_RC tpm_rc_auth_fail = TPM2_RC_AUTH_FAIL;
static const TPM2_RC tpm_rc_policy_fail = TPM2_RC_POLICY_FAIL;
static const TPM2_RC tpm_rc_integrity = TPM2_RC_INTEGRITY;
static const TPM2_RC tpm_rc_bad_auth = TPM2_RC_BAD_AUTH;
static const TPM2_RC tpm_rc_hierarchy = TPM2_RC_HIERARCHY;
static const TPM2_RC tpm_rc_object_memory = TPM2_RC_OBJECT_MEMORY;
static const TPM2_RC tpm_rc_session_memory = TPM2_RC_SESSION_MEMORY;
static const TPM2_RC tpm_rc_session_handles = TPM2_RC_SESSION_HANDLES;
static const TPM2_RC tpm_rc_reference_h0 = TPM2_RC_REFERENCE_H0;
static const TPM2_RC tpm_rc_reference_s0 = TPM2_RC_REFERENCE_S0;
static const TPM2_RC tpm_rc_nv_rate = TPM2_RC_NV_RATE;
static const TPM2_RC tpm_rc_nv_unavailable = TPM2_RC_NV_UNAVAILABLE;
static const TPM2_RC tpm_rc_lockout = TPM2_RC_LOCKOUT;
static const TPM2_RC tpm_rc_retry = TPM2_RC_RETRY;
static const TPM2_RC tpm_rc_testing = TPM2_RC_TESTING;
static const TPM2_RC tpm_rc_yielded = TPM2_RC_YIELDED;
static const TPM2_RC tpm_rc_canceled = TPM2_RC_CANCELED;
static const TSS2_RC tcti_rc_io_error = TSS2_TCTI_RC_IO_ERROR;
static const TSS2_RC tcti_rc_not_supported = TSS2_TCTI_RC_NOT_SUPPORTED;
static const TSS2_RC tcti_rc_no_connection = TSS2_TCTI_RC_NO_CONNECTION;

static const TPM2_PT tpm_pt_manufacturer = TPM2_PT_MANUFACTURER;
static const TPM2_PT tpm_pt_permanent = TPM2_PT_PERMANENT;
static const TPM2_PT tpm_pt_startup_clear = TPM2_PT_STARTUP_CLEAR;
static const TPM2_PT tpm_pt_counters_left = TPM2_PT_NV_COUNTERS_AVAIL;
static const TPM2_PT tpm_pt_lockout_counter = TPM2_PT_LOCKOUT_COUNTER;
static const TPM2_PT tpm_pt_max_auth_fail = TPM2_PT_MAX_AUTH_FAIL;
static const TPM2_PT tpm_pt_lockout_interval = TPM2_PT_LOCKOUT_INTERVAL;
static const TPM2_PT tpm_pt_lockout_recovery = TPM2_PT_LOCKOUT_RECOVERY;

static const UINT32 tpm_max_cap_handles = TPM2_MAX_CAP_HANDLES;
static const TPMA_NV tpm_nv_extend = (TPMA_NV)(TPM2_NT_EXTEND << TPMA_NV_TPM2_NT_SHIFT);
static const TPMA_NV tpm_nv_counter = (TPMA_NV)(TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT);
