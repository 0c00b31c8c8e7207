// expect: type mismatch: inferred type is String but Map<String, Any>
package org.thumbturn.reactnative

import android.content.Context
import expo.modules.kotlin.AppContext
import expo.modules.kotlin.viewevent.EventDispatcher
import expo.modules.kotlin.views.ExpoView

class PlantedView(context: Context, appContext: AppContext) : ExpoView(context, appContext) {
    private val onEntry by EventDispatcher()

    fun tell() = onEntry("4711")
}
