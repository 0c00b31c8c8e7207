// expect: extra arguments? at position
import SwiftUI

@MainActor func small(_ view: Text) -> some View { view.frame(height: 44) }
