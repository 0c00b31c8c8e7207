#include "machine.h"

#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <string.h>

static JavaVM *machine;
static jclass harness;
static jmethodID call;

int machine_start(const char *library, const char *class_path, const char *libraries) {
    void *loaded = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (!loaded) return 1;
    jint (*create)(JavaVM **, void **, void *) = (jint(*)(JavaVM **, void **, void *))dlsym(loaded, "JNI_CreateJavaVM");
    if (!create) return 2;
    static char classes[4096], folder[4096];
    snprintf(classes, sizeof classes, "-Djava.class.path=%s", class_path);
    snprintf(folder, sizeof folder, "-Djava.library.path=%s", libraries);
    // Signals are the tests' own; each call of the glue is checked.
    JavaVMOption options[] = {{(char *)"-Xcheck:jni", 0}, {(char *)"-Xrs", 0}, {classes, 0}, {folder, 0},
                              {(char *)"-Xmx256m", 0},    {(char *)"-XX:+UseSerialGC", 0}};
    JavaVMInitArgs arguments = {JNI_VERSION_1_6, 6, options, JNI_FALSE};
    JNIEnv *environment = NULL;
    if (create(&machine, (void **)&environment, &arguments) != JNI_OK) return 3;
    jclass found = (*environment)->FindClass(environment, "org/thumbturn/device/Harness");
    if (!found) return 4;
    harness = (*environment)->NewGlobalRef(environment, found);
    call = (*environment)->GetStaticMethodID(environment, found, "call", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;");
    return call ? 0 : 5;
}

static int copy(JNIEnv *environment, jstring text, char *answer, int capacity) {
    answer[0] = 0;
    if (!text) return 0;
    const char *bytes = (*environment)->GetStringUTFChars(environment, text, NULL);
    if (!bytes) return 1;
    snprintf(answer, (size_t)capacity, "%s", bytes);
    (*environment)->ReleaseStringUTFChars(environment, text, bytes);
    return 0;
}

int machine_call(const char *command, const char *argument, char *answer, int capacity) {
    JNIEnv *environment = NULL;
    if ((*machine)->AttachCurrentThreadAsDaemon(machine, (void **)&environment, NULL) != JNI_OK) return 1;
    if ((*environment)->PushLocalFrame(environment, 16) != JNI_OK) return 1;
    jstring given[] = {(*environment)->NewStringUTF(environment, command), (*environment)->NewStringUTF(environment, argument)};
    jstring text = (*environment)->CallStaticObjectMethod(environment, harness, call, given[0], given[1]);
    int status = 0;
    jthrowable thrown = (*environment)->ExceptionOccurred(environment);
    if (thrown) {
        (*environment)->ExceptionDescribe(environment);
        status = 1;
        snprintf(answer, (size_t)capacity, "thrown");
    } else {
        status = copy(environment, text, answer, capacity);
    }
    (*environment)->PopLocalFrame(environment, NULL);
    return status;
}
