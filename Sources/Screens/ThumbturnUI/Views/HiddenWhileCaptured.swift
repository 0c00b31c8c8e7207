#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

extension View {
    /// Marks a secret as private to the system, and replaces it by a sentence while the screen is recorded, mirrored or
    /// shared (P-107-04).
    ///
    /// A screenshot can't be prevented. Below the secret its owner reads that there is one now.
    ///
    /// - Parameter signals: who says so; nil for this device.
    public func hiddenWhileCaptured(_ signals: CaptureSignals? = nil) -> some View {
        modifier(HiddenWhileCaptured(signals: signals ?? .shared))
    }
}

private struct HiddenWhileCaptured: ViewModifier {
    @ObservedObject var signals: CaptureSignals
    /// The screenshots before this one was shown.
    @State private var before = Int.max

    func body(content: Content) -> some View {
        VStack(spacing: 8) {
            if signals.isCaptured {
                Text(Words.hiddenWhileRecorded).font(.footnote)
            } else {
                content.privacySensitive()
            }
            if signals.screenshots > before { Text(Words.screenshotTaken).font(.footnote) }
        }
        .onAppear { before = signals.screenshots }
    }
}
#endif
