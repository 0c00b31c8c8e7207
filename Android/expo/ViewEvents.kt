@file:Suppress("FunctionName", "UNUSED_PARAMETER", "unused")

package expo.modules.kotlin.viewevent

import android.view.View
import expo.modules.kotlin.views.ExpoView
import kotlin.reflect.KProperty

/** viewevent/ViewEventDelegate.kt, 05a852a2. */
typealias CoalescingKey<T> = (event: T) -> Short

/** viewevent/ViewEvent.kt, 080ba42e. */
interface ViewEventCallback<T> {
    operator fun invoke(arg: T)
}

/** viewevent/ViewEventDelegate.kt, 05a852a2. */
class ViewEventDelegate<T>(private val view: View) {
    operator fun getValue(thisRef: View, property: KProperty<*>): ViewEventCallback<T> = object : ViewEventCallback<T> {
        @Suppress("UNCHECKED_CAST")
        override fun invoke(arg: T) = (view as ExpoView).appContext._sent(property.name, arg as Map<String, Any?>)
    }
}

/** viewevent/ViewEventDelegate.kt, 05a852a2. */
inline fun <reified T> View.EventDispatcher(noinline coalescingKey: CoalescingKey<T>? = null): ViewEventDelegate<T> = ViewEventDelegate(this)

/** viewevent/ViewEventDelegate.kt, 05a852a2. */
@JvmName("MapEventDispatcher")
fun View.EventDispatcher(coalescingKey: CoalescingKey<Map<String, Any>>? = null): ViewEventDelegate<Map<String, Any>> = ViewEventDelegate(this)
