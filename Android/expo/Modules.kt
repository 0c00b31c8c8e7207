@file:Suppress("FunctionName", "UNUSED_PARAMETER")

package expo.modules.kotlin.modules

import android.view.View
import expo.modules.kotlin.AppContext
import expo.modules.kotlin.Promise
import expo.modules.kotlin.views.ViewDefinitionBuilder
import kotlin.reflect.KClass

// Of expo-modules-core, the names that ReactNative/android uses, with the signatures that were read at the named commits of
// github.com/expo/expo, packages/expo-modules-core/android/src/main/java/expo/modules/kotlin, of SDK 53 and later. In Kotlin
// 1.3, which has neither `fun interface` nor `@OptIn`. `_` is ours: what a test does in JavaScript's place.
//
// Several views of one module, with names, need 2.3.0 of 2025-04-04, the first of SDK 53 (CHANGELOG.md).

/** modules/Module.kt, 02ec7023. */
abstract class Module {
    lateinit var _appContext: AppContext

    val appContext: AppContext
        get() = _appContext

    fun sendEvent(name: String, body: Map<String, Any?>?) = _appContext._sent(name, body)

    abstract fun definition(): ModuleDefinitionData
}

/** modules/Module.kt, 02ec7023. */
inline fun Module.ModuleDefinition(block: ModuleDefinitionBuilder.() -> Unit): ModuleDefinitionData {
    val builder = ModuleDefinitionBuilder()
    builder.block()
    return builder._definition
}

/** modules/ModuleDefinitionData.kt, 60b23735. */
class ModuleDefinitionData {
    var _name = ""
    var _onDestroy: () -> Unit = {}
    val _events = ArrayList<String>()
    /** By name: takes the arguments, and for one that answers later its promise as the last. */
    val _functions = HashMap<String, (List<Any?>) -> Any?>()
    val _views = HashMap<String, ViewDefinitionBuilder<*>>()
}

/** modules/ModuleDefinitionBuilder.kt, 89633189, and what it inherits: objects/ObjectDefinitionBuilder.kt, 01ff793f. */
class ModuleDefinitionBuilder {
    val _definition = ModuleDefinitionData()

    fun Name(name: String) {
        _definition._name = name
    }

    fun Events(vararg events: String) {
        _definition._events.addAll(events)
    }

    inline fun OnDestroy(crossinline body: () -> Unit) {
        _definition._onDestroy = { body() }
    }

    @JvmName("FunctionWithoutArgs")
    inline fun Function(name: String, crossinline body: () -> Any?) {
        _definition._functions[name] = { body() }
    }

    inline fun <reified R> Function(name: String, crossinline body: () -> R) {
        _definition._functions[name] = { body() }
    }

    inline fun <reified R, reified P0> Function(name: String, crossinline body: (p0: P0) -> R) {
        _definition._functions[name] = { body(it[0] as P0) }
    }

    inline fun <reified R, reified P0, reified P1> AsyncFunction(name: String, crossinline body: (p0: P0, p1: P1) -> R) {
        _definition._functions[name] = { (it[2] as Promise).resolve(body(it[0] as P0, it[1] as P1)) }
    }

    inline fun <reified R, reified P0, reified P1, reified P2> AsyncFunction(name: String, crossinline body: (p0: P0, p1: P1, p2: P2) -> R) {
        _definition._functions[name] = { (it[3] as Promise).resolve(body(it[0] as P0, it[1] as P1, it[2] as P2)) }
    }

    inline fun <reified R, reified P0, reified P1, reified P2, reified P3> AsyncFunction(name: String, crossinline body: (p0: P0, p1: P1, p2: P2, p3: P3) -> R) {
        _definition._functions[name] = { (it[4] as Promise).resolve(body(it[0] as P0, it[1] as P1, it[2] as P2, it[3] as P3)) }
    }

    @JvmName("AsyncFunctionWithPromise")
    inline fun <reified R, reified P0> AsyncFunction(name: String, crossinline body: (p0: P0, p1: Promise) -> R) {
        _definition._functions[name] = { body(it[0] as P0, it[1] as Promise) }
    }

    @JvmName("AsyncFunctionWithPromise")
    inline fun <reified R, reified P0, reified P1> AsyncFunction(name: String, crossinline body: (p0: P0, p1: P1, p2: Promise) -> R) {
        _definition._functions[name] = { body(it[0] as P0, it[1] as P1, it[2] as Promise) }
    }

    @JvmName("AsyncFunctionWithPromise")
    inline fun <reified R, reified P0, reified P1, reified P2> AsyncFunction(name: String, crossinline body: (p0: P0, p1: P1, p2: P2, p3: Promise) -> R) {
        _definition._functions[name] = { body(it[0] as P0, it[1] as P1, it[2] as P2, it[3] as Promise) }
    }

    inline fun <reified T : View> View(viewClass: KClass<T>, body: ViewDefinitionBuilder<T>.() -> Unit) {
        val builder = ViewDefinitionBuilder(viewClass)
        builder.body()
        _definition._views[builder._name] = builder
    }
}
