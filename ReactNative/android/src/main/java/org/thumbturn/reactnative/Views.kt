package org.thumbturn.reactnative

import android.content.Context
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import expo.modules.kotlin.AppContext
import expo.modules.kotlin.viewevent.EventDispatcher
import expo.modules.kotlin.views.ExpoView
import org.thumbturn.device.SecretBuffer
import org.thumbturn.device.SecretField
import org.thumbturn.device.SecretText

/** `<SecretField>`: JavaScript is told a number for what was typed, and how long it is. */
internal class ThumbturnSecretField(context: Context, appContext: AppContext) : ExpoView(context, appContext) {
    private val onEntry by EventDispatcher()
    private var number = 0.0
    private var use = "vault"
    private val field = SecretField(context) { secret, count -> entered(secret, count) }

    init {
        addView(field, MATCH_PARENT, MATCH_PARENT)
    }

    fun show(kind: String) = field.setPIN(kind == "pin")

    fun use(name: String) {
        field.clear()
        use = name
    }

    private fun entered(secret: SecretBuffer?, count: Int) {
        val session = AppVault.session
        session?.drop(number)
        number = if (secret == null) 0.0 else session?.keep(secret, use) ?: 0.0
        if (session == null) secret?.close()
        onEntry(mapOf("handle" to number, "length" to count))
    }
}

/** `<SecretText>`: shows what an action gave, of which JavaScript has the number. */
internal class ThumbturnSecretText(context: Context, appContext: AppContext) : ExpoView(context, appContext) {
    private val text = SecretText(context)

    init {
        addView(text, MATCH_PARENT, MATCH_PARENT)
    }

    fun show(number: Double) {
        text.clear()
        AppVault.session?.take(number) { text.clear() }?.let { text.show(it) }
    }
}

/** `<VaultCover>`: the library itself covers every window of the app while it is not in front. */
internal class ThumbturnCover(context: Context, appContext: AppContext) : ExpoView(context, appContext)
