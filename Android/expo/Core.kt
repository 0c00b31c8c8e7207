package expo.modules.kotlin

import android.app.Activity
import android.content.Context

/** AppContext.kt, 0025793c: what one JavaScript context has. */
class AppContext(var _reactContext: Context?, private val events: (String, Map<String, Any?>?) -> Unit) {
    /** Held weakly: null once React's context is gone. */
    val reactContext: Context?
        get() = _reactContext

    val currentActivity: Activity?
        get() = _activity

    var _activity: Activity? = null

    fun _sent(name: String, body: Map<String, Any?>?) = events(name, body)
}

/** Promise.kt, 2b90f6cc. */
interface Promise {
    fun resolve(value: Any?)

    fun resolve(result: String) = resolve(result as Any?)

    fun reject(code: String, message: String?, cause: Throwable?)
}
