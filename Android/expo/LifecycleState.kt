package com.facebook.react.common

/** common/LifecycleState.java, 0ca1927f. */
enum class LifecycleState { BEFORE_CREATE, BEFORE_RESUME, RESUMED }
