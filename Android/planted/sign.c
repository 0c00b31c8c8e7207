// expect: comparison of integers of different signs
#include <jni.h>

int is_whole(JNIEnv *env, jobject buffer, unsigned long long count) {
    return (*env)->GetDirectBufferCapacity(env, buffer) >= count;
}
