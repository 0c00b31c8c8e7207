// expect: extra argument 'height' in call
import SwiftUI

@MainActor func small(_ view: Text) -> some View { view.frame(height: 44) }
