package org.thumbturn.reactnative

import android.app.Activity
import android.app.Application
import com.facebook.react.bridge.ReactContext
import com.facebook.react.common.LifecycleState
import expo.modules.kotlin.Promise
import expo.modules.kotlin.modules.Module
import expo.modules.kotlin.modules.ModuleDefinition
import org.thumbturn.device.ScriptSession
import org.thumbturn.device.SharedVault

/** The app's one vault, which outlives each JavaScript context: a reload finds it as it was. */
internal object AppVault {
    /** Null until a script asks for its vault. */
    @Volatile
    var shared: SharedVault? = null
        private set

    /** The session of the context that opened the vault last. */
    val session get() = shared?.session()

    @Synchronized fun of(app: Application) = shared ?: SharedVault(app).also { shared = it }
}

/**
 * The module `Thumbturn` of one JavaScript context, over the app's vault: JSON in, JSON out.
 *
 * What it does, it does on the main thread, in the order in which calls come. Numbers are `Double`, as JavaScript has them.
 */
class ThumbturnModule : Module() {
    private var session: ScriptSession? = null

    /** What JavaScript sees. */
    override fun definition() = ModuleDefinition {
        Name("Thumbturn")
        Events("onChange")
        // React's context may be gone by now.
        OnDestroy { AppVault.shared?.onMain { session?.end() } }
        Function("open") { configuration: String ->
            vault().opens()
            onMain { open(configuration) }
        }
        Function("fields") { vault().fields() }
        Function("isAsking") { vault().isAsking }
        AsyncFunction("send") { ticket: Double, action: String, secret: Any?, promise: Promise ->
            onMain { session?.send(ticket, action, secret) { promise.resolve(it) } ?: promise.resolve(ScriptSession.notOpen()) }
        }
        Function("cancel") { ticket: Double -> onMain { session?.cancel(ticket) } }
        AsyncFunction("ownerSecret") { _: String, secret: Any?, promise: Promise ->
            onMain { promise.resolve(session?.unavailable(secret) ?: ScriptSession.notOpen()) }
        }
        AsyncFunction("derivedKey") { _: String, promise: Promise ->
            onMain { promise.resolve(session?.unavailable(null) ?: ScriptSession.notOpen()) }
        }
        View(ThumbturnSecretField::class) {
            Events("onEntry")
            Prop("kind") { view: ThumbturnSecretField, kind: String -> view.show(kind) }
            Prop("use") { view: ThumbturnSecretField, use: String -> view.use(use) }
        }
        View(ThumbturnSecretText::class) {
            Prop("number") { view: ThumbturnSecretText, number: Double -> view.show(number) }
        }
        View(ThumbturnCover::class) {}
    }

    private fun open(configuration: String) {
        session = vault().open(this::shownActivity, configuration) { sendEvent("onChange", mapOf("value" to it)) }
    }

    private fun vault() = AppVault.shared ?: AppVault.of(requireNotNull(appContext.reactContext).applicationContext as Application)

    /** The activity, if it is in front; one that is not will tell when it is. */
    private fun shownActivity(): Activity? {
        val isShown = (appContext.reactContext as? ReactContext)?.lifecycleState == LifecycleState.RESUMED
        return if (isShown) appContext.currentActivity else null
    }

    private fun onMain(work: () -> Unit) = vault().onMain(work)
}
