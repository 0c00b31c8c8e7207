@file:Suppress("FunctionName", "UNUSED_PARAMETER")

package expo.modules.kotlin.views

import android.content.Context
import android.view.View
import android.widget.LinearLayout
import expo.modules.kotlin.AppContext
import kotlin.reflect.KClass

/** views/ExpoView.kt, bd24589e. */
abstract class ExpoView(context: Context, val appContext: AppContext) : LinearLayout(context)

/** views/ViewDefinitionBuilder.kt, 088ecd2a. */
class ViewDefinitionBuilder<T : View>(private val viewClass: KClass<T>) {
    val _name = viewClass.java.simpleName
    val _events = ArrayList<String>()
    val _props = HashMap<String, (View, Any?) -> Unit>()

    fun Events(vararg callbacks: String) {
        _events.addAll(callbacks)
    }

    inline fun <reified PropType> Prop(name: String, noinline body: (view: T, prop: PropType) -> Unit) {
        @Suppress("UNCHECKED_CAST")
        _props[name] = { view, value -> body(view as T, value as PropType) }
    }

    @JvmName("PropGeneric")
    inline fun <reified ViewType : View, reified PropType> Prop(name: String, noinline body: (view: ViewType, prop: PropType) -> Unit) {
        _props[name] = { view, value -> body(view as ViewType, value as PropType) }
    }

    /** Makes the view as Expo does: by the constructor of these two. */
    fun _make(context: Context, appContext: AppContext): View =
        viewClass.java.getConstructor(Context::class.java, AppContext::class.java).newInstance(context, appContext)
}
