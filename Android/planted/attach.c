// expect: incompatible pointer types passing 'void \*\*'
#include <jni.h>
#include <stddef.h>

// The JDK's jni.h takes this, AOSP's does not.
JNIEnv *attach(JavaVM *machine) {
    void *env = NULL;
    return (*machine)->AttachCurrentThread(machine, &env, NULL) == JNI_OK ? env : NULL;
}
