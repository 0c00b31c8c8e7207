#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// A screen of its own: a title, the last refusal, and below them what the step shows.
struct Page<Content: View>: View {
    private let title: Words
    private let error: UserError?
    private let content: Content

    init(_ title: Words, error: UserError?, @ViewBuilder content: () -> Content) {
        self.title = title
        self.error = error
        self.content = content()
    }

    var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                Text(title).font(.title).accessibilityAddTraits(.isHeader)
                if let error { Notice(error: error) }
                content
            }
            .multilineTextAlignment(.center)
            .padding()
            .frame(maxWidth: .infinity)
        }
    }
}

/// Asks for the owner: the PIN or password, or in system mode the device's own prompt.
struct OwnerQuestion<Fields: Hashable & Sendable>: View {
    let model: OwnerScreenModel<Fields>
    let asksSystem: Bool
    let isEnabled: Bool
    let enter: @MainActor (borrowing SecretBytes) async -> Void
    let enterBySystem: @MainActor () async -> Void

    var body: some View {
        if asksSystem {
            WideButton(.unlock) { model.start(enterBySystem) }.disabled(!isEnabled)
        } else {
            SecretField(kind: model.secret, pin: model.pin, isEnabled: isEnabled, submit: enter)
        }
        WideButton(.cancel, role: .cancel) { model.cancel() }
    }
}
#endif
