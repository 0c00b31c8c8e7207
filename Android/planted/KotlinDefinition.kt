// expect: unresolved reference: OnStart
package org.thumbturn.reactnative

import expo.modules.kotlin.modules.Module
import expo.modules.kotlin.modules.ModuleDefinition

class Planted : Module() {
    override fun definition() = ModuleDefinition { OnStart { } }
}
