// expect: 'onChange\(of:initial:_:\)' is only available in (iOS 17\.0|macOS 14\.0) or newer
import SwiftUI

@MainActor func follow(_ view: Text, _ phase: ScenePhase) -> some View { view.onChange(of: phase) { _, _ in } }
