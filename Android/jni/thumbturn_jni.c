// Between thumbturn.h and org.thumbturn.device.Bridge: the functions of the one as static methods of the other, and the
// callbacks of the one as the methods of its `Callbacks`.
//
// Memory crosses in direct buffers alone, whose place and capacity are asked for, never believed: a heap buffer has none, and
// is refused as TT_ARGUMENT. What Java throws ends here: as a refusal where somebody waits for an answer.
#include <jni.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "thumbturn.h"

// A Java machine has no main thread that serves Swift's main actor. The tests' process, which starts one, has.
#ifndef TT_JNI_FLAGS
#define TT_JNI_FLAGS 0
#endif

static JavaVM *machine;
static pthread_key_t attached; // set on each thread that we attached, which is detached with it

// Looked up once, by the thread that loads the library: a thread of ours has no class loader of the app's.
static jmethodID on_clock, on_ask, on_changed, on_answered, on_lent, on_closed;

// ---- Threads and exceptions ----

static void detach(void *environment) {
    if (environment) (*machine)->DetachCurrentThread(machine);
}

// The environment of this thread. Attached as a daemon: no thread of ours keeps a process from its end.
static JNIEnv *environment_here(void) {
    JNIEnv *environment = NULL;
    if ((*machine)->GetEnv(machine, (void **)&environment, JNI_VERSION_1_6) == JNI_OK) return environment;
    JavaVMAttachArgs arguments = {JNI_VERSION_1_6, (char *)"thumbturn", NULL};
#ifdef __ANDROID__
    if ((*machine)->AttachCurrentThreadAsDaemon(machine, &environment, &arguments) != JNI_OK) return NULL;
#else
    if ((*machine)->AttachCurrentThreadAsDaemon(machine, (void **)&environment, &arguments) != JNI_OK) return NULL;
#endif
    pthread_setspecific(attached, environment);
    return environment;
}

// Ends what was thrown; returns whether anything was.
static bool threw(JNIEnv *environment) {
    if (!(*environment)->ExceptionCheck(environment)) return false;
    (*environment)->ExceptionClear(environment);
    return true;
}

// ---- Buffers ----

// The memory of a direct buffer that holds at least `count` bytes; NULL for any other.
static uint8_t *memory_of(JNIEnv *environment, jobject buffer, jint count) {
    if (!buffer || count < 0) return NULL;
    void *place = (*environment)->GetDirectBufferAddress(environment, buffer);
    jlong capacity = (*environment)->GetDirectBufferCapacity(environment, buffer);
    return place && capacity >= count ? place : NULL;
}

// A direct buffer over memory of the library's; nothing is copied. Memory of no bytes has a place too, which nobody reads.
static jobject buffer_over(JNIEnv *environment, const void *bytes, uint64_t count) {
    static uint8_t nothing;
    if (count > INT32_MAX) return NULL;
    jobject buffer = (*environment)->NewDirectByteBuffer(environment, bytes ? (void *)bytes : &nothing, (jlong)count);
    return threw(environment) ? NULL : buffer;
}

// Writes one number where Java looks for it.
static bool give(JNIEnv *environment, jlongArray place, uint64_t number) {
    jlong given = (jlong)number;
    (*environment)->SetLongArrayRegion(environment, place, 0, 1, &given);
    return !threw(environment);
}

static bool has_room(JNIEnv *environment, jlongArray place) {
    return place && (*environment)->GetArrayLength(environment, place) >= 1;
}

// ---- Callbacks: the context is a global reference to Java's `Callbacks` ----

// Calls a method with a buffer over `bytes`; false if it threw, or could not be called.
static bool tell(void *context, jmethodID method, jlong number, const uint8_t *bytes, uint64_t count) {
    JNIEnv *environment = environment_here();
    if (!environment || (*environment)->PushLocalFrame(environment, 8) != JNI_OK) return false;
    jobject buffer = buffer_over(environment, bytes, count);
    bool is_told = buffer != NULL;
    if (is_told) {
        if (method == on_changed || method == on_clock) (*environment)->CallVoidMethod(environment, context, method, buffer);
        else (*environment)->CallVoidMethod(environment, context, method, number, buffer);
        is_told = !threw(environment);
    }
    (*environment)->PopLocalFrame(environment, NULL);
    return is_told;
}

static void read_clock(void *context, tt_clock *reading) {
    memset(reading, 0, sizeof *reading);
    if (tell(context, on_clock, 0, (const uint8_t *)reading, sizeof *reading)) return;
    // Without the phone's count of its boots this is a boot like no other, which ends no wait.
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    reading->wall = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    clock_gettime(CLOCK_BOOTTIME, &now);
    reading->boottime = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    uint64_t unlike[2] = {(uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec, (uint64_t)(uintptr_t)context};
    memcpy(reading->boot, unlike, sizeof reading->boot);
}

static void ask(void *context, uint64_t vault, uint64_t call, uint32_t operation, const uint8_t *json, uint64_t count,
                uint64_t secret) {
    JNIEnv *environment = environment_here();
    bool is_asked = false;
    if (environment && (*environment)->PushLocalFrame(environment, 8) == JNI_OK) {
        jobject buffer = buffer_over(environment, json, count);
        if (buffer) {
            (*environment)->CallVoidMethod(environment, context, on_ask, (jlong)vault, (jlong)call, (jint)operation, buffer,
                                           (jlong)secret);
            is_asked = !threw(environment);
        }
        (*environment)->PopLocalFrame(environment, NULL);
    }
    if (is_asked) return;
    if (secret) tt_secret_drop(secret);
    if (operation != TT_DEVICE_CANCEL) tt_answer(vault, call, TT_REFUSED_UNCLASSIFIED, 0, NULL, 0, 0);
}

static void changed(void *context, const uint8_t *json, uint64_t count) { tell(context, on_changed, 0, json, count); }

static void answered(void *context, uint64_t ticket, const uint8_t *json, uint64_t count) {
    tell(context, on_answered, (jlong)ticket, json, count);
}

static tt_status lent(void *context, uint64_t ticket, const uint8_t *bytes, uint64_t count) {
    return tell(context, on_lent, (jlong)ticket, bytes, count) ? TT_OK : TT_SECRET;
}

static void closed(void *context) {
    JNIEnv *environment = environment_here();
    if (!environment) return;
    (*environment)->CallVoidMethod(environment, context, on_closed);
    threw(environment);
    (*environment)->DeleteGlobalRef(environment, context);
}

// ---- The methods of Bridge ----

static jint version(JNIEnv *environment, jclass type) {
    (void)environment, (void)type;
    return (jint)tt_version();
}

static jint open_vault(JNIEnv *environment, jclass type, jobject json, jint count, jobject host, jlongArray vault) {
    (void)type;
    const uint8_t *bytes = memory_of(environment, json, count);
    if (!bytes || !host || !has_room(environment, vault)) return TT_ARGUMENT;
    jobject context = (*environment)->NewGlobalRef(environment, host);
    if (!context) return TT_FULL;
    const tt_device device = {sizeof device, read_clock, ask};
    const tt_listener listener = {sizeof listener, changed, answered, lent, closed};
    uint64_t handle = 0;
    tt_status status = tt_open(bytes, (uint64_t)count, TT_JNI_FLAGS, &device, &listener, context, &handle);
    if (status != TT_OK) {
        (*environment)->DeleteGlobalRef(environment, context);
        return status;
    }
    give(environment, vault, handle);
    return TT_OK;
}

static jint fields(JNIEnv *environment, jclass type, jlong vault, jobject buffer, jlongArray count) {
    (void)type;
    uint8_t *bytes = memory_of(environment, buffer, 0);
    if (!bytes || !has_room(environment, count)) return TT_ARGUMENT;
    uint64_t needed = 0;
    jlong capacity = (*environment)->GetDirectBufferCapacity(environment, buffer);
    tt_status status = tt_fields((uint64_t)vault, bytes, (uint64_t)capacity, &needed);
    return give(environment, count, needed) ? status : TT_ARGUMENT;
}

static jint send_action(JNIEnv *environment, jclass type, jlong vault, jlong ticket, jobject json, jint count, jlong secret) {
    (void)type;
    const uint8_t *bytes = memory_of(environment, json, count);
    if (!bytes) {
        if (secret) tt_secret_drop((uint64_t)secret); // taken whatever this answers, as in tt_send
        return TT_ARGUMENT;
    }
    return tt_send((uint64_t)vault, (uint64_t)ticket, bytes, (uint64_t)count, (uint64_t)secret);
}

static jint cancel(JNIEnv *environment, jclass type, jlong vault, jlong ticket) {
    (void)environment, (void)type;
    return tt_cancel((uint64_t)vault, (uint64_t)ticket);
}

static jint happen(JNIEnv *environment, jclass type, jlong vault, jint event) {
    (void)environment, (void)type;
    return tt_happen((uint64_t)vault, (uint32_t)event);
}

static jint close_vault(JNIEnv *environment, jclass type, jlong vault) {
    (void)environment, (void)type;
    return tt_close((uint64_t)vault);
}

static jint answer(JNIEnv *environment, jclass type, jlong vault, jlong call, jint refusal, jint mismatches, jobject json,
                   jint count, jlong secret) {
    (void)type;
    const uint8_t *bytes = memory_of(environment, json, count);
    if (!bytes || refusal < 0 || mismatches < 0) {
        // Somebody waits: an answer that can't be read is one without a form.
        tt_answer((uint64_t)vault, (uint64_t)call, TT_REFUSED_UNCLASSIFIED, 0, NULL, 0, (uint64_t)secret);
        return TT_ARGUMENT;
    }
    return tt_answer((uint64_t)vault, (uint64_t)call, (uint32_t)refusal, (uint32_t)mismatches, bytes, (uint64_t)count,
                     (uint64_t)secret);
}

static jint secret_make(JNIEnv *environment, jclass type, jlong count, jlongArray secret) {
    (void)type;
    if (count < 0 || !has_room(environment, secret)) return TT_ARGUMENT;
    uint64_t made = 0;
    tt_status status = tt_secret_make((uint64_t)count, &made);
    if (status != TT_OK) return status;
    if (give(environment, secret, made)) return TT_OK;
    tt_secret_drop(made);
    return TT_ARGUMENT;
}

static jobject secret_bytes(JNIEnv *environment, jclass type, jlong secret) {
    (void)type;
    uint8_t *bytes = NULL;
    uint64_t count = 0;
    if (tt_secret_bytes((uint64_t)secret, &bytes, &count) != TT_OK) return NULL;
    return buffer_over(environment, bytes, count);
}

static jint secret_drop(JNIEnv *environment, jclass type, jlong secret) {
    (void)environment, (void)type;
    return tt_secret_drop((uint64_t)secret);
}

// ---- Loading ----

#define PACKAGE "org/thumbturn/device/"
#define BUFFER "Ljava/nio/ByteBuffer;"

static const JNINativeMethod methods[] = {
    {(char *)"version", (char *)"()I", (void *)version},
    {(char *)"open", (char *)"(" BUFFER "IL" PACKAGE "Bridge$Callbacks;[J)I", (void *)open_vault},
    {(char *)"fields", (char *)"(J" BUFFER "[J)I", (void *)fields},
    {(char *)"send", (char *)"(JJ" BUFFER "IJ)I", (void *)send_action},
    {(char *)"cancel", (char *)"(JJ)I", (void *)cancel},
    {(char *)"happen", (char *)"(JI)I", (void *)happen},
    {(char *)"close", (char *)"(J)I", (void *)close_vault},
    {(char *)"answer", (char *)"(JJII" BUFFER "IJ)I", (void *)answer},
    {(char *)"secretMake", (char *)"(J[J)I", (void *)secret_make},
    {(char *)"secretBytes", (char *)"(J)" BUFFER, (void *)secret_bytes},
    {(char *)"secretDrop", (char *)"(J)I", (void *)secret_drop},
};

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *loaded, void *reserved) {
    (void)reserved;
    JNIEnv *environment = NULL;
    machine = loaded;
    if ((*machine)->GetEnv(machine, (void **)&environment, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
    if (pthread_key_create(&attached, detach) != 0) return JNI_ERR;
    jclass bridge = (*environment)->FindClass(environment, PACKAGE "Bridge");
    if (!bridge) return JNI_ERR;
    jclass callbacks = (*environment)->FindClass(environment, PACKAGE "Bridge$Callbacks");
    if (!callbacks) return JNI_ERR;
    const struct {
        jmethodID *place;
        const char *name, *signature;
    } wanted[] = {
        {&on_clock, "clock", "(" BUFFER ")V"},       {&on_ask, "ask", "(JJI" BUFFER "J)V"},
        {&on_changed, "changed", "(" BUFFER ")V"},   {&on_answered, "answered", "(J" BUFFER ")V"},
        {&on_lent, "lent", "(J" BUFFER ")V"},        {&on_closed, "closed", "()V"},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        *wanted[index].place = (*environment)->GetMethodID(environment, callbacks, wanted[index].name, wanted[index].signature);
        if (!*wanted[index].place) return JNI_ERR;
    }
    jint count = (jint)(sizeof methods / sizeof *methods);
    if ((*environment)->RegisterNatives(environment, bridge, methods, count) != JNI_OK) return JNI_ERR;
    return JNI_VERSION_1_6;
}
