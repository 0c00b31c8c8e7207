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

    /// Tells a model whenever a recording of this device's screen begins or ends, and once at first.
    func tellsCaptures(to tell: @escaping @MainActor (Bool) -> Void) -> some View {
        modifier(CapturesTold(signals: .shared, tell: tell))
    }
}

private struct CapturesTold: ViewModifier {
    @ObservedObject var signals: CaptureSignals
    let tell: @MainActor (Bool) -> Void

    func body(content: Content) -> some View {
        content
            .onAppear { tell(signals.isCaptured) }
            .onChange(of: signals.isCaptured) { tell($0) }
    }
}

private struct HiddenWhileCaptured: ViewModifier {
    @ObservedObject var signals: CaptureSignals
    /// The screenshots before this one was shown.
    @State private var before = Int.max

    func body(content: Content) -> some View {
        VStack(spacing: 8) {
            if signals.isCaptured {
                Text(Words.screenCaptured).font(.footnote)
            } else {
                content.privacySensitive()
            }
            if signals.screenshots > before { Text(Words.screenshotTaken).font(.footnote) }
        }
        .onAppear { before = signals.screenshots }
    }
}
#endif
