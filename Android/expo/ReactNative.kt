package com.facebook.react.bridge

import android.app.Activity
import com.facebook.react.common.LifecycleState

// Of react-native, github.com/facebook/react-native, packages/react-native/ReactAndroid/src/main/java/com/facebook/react.

/** bridge/ReactContext.java, 02008ed7: a wrapper of the application's context. Here it is the stand-in's activity, which is such a one. */
open class ReactContext : Activity() {
    var _lifecycleState = LifecycleState.BEFORE_CREATE

    val lifecycleState: LifecycleState
        get() = _lifecycleState
}
