#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// One screen in one state, for a preview or a picture in an app's own tests; nothing in it works.
@MainActor public struct Still {
    /// The view's type.
    public let screen: String
    /// The state, in a few words; unique for the screen.
    public let state: String
    private let make: @MainActor () -> AnyView

    /// Creates a still.
    ///
    /// - Parameters:
    ///   - screen: the view's type.
    ///   - state: the state, in a few words.
    ///   - view: makes the view.
    public init(_ screen: String, _ state: String, @ViewBuilder view: @escaping @MainActor () -> some View) {
        self.screen = screen
        self.state = state
        // Outside of a scene its phase is the background, which everything is covered in.
        make = { AnyView(view().environment(\.scenePhase, .active)) }
    }

    /// The screen in its state.
    public var view: AnyView { make() }

    /// Every screen in each of its states: a screen is added with one line.
    public static var all: [Still] {
        vaultScreens + onboardingScreen + recoverScreen + lockScreen + biometricOffer + biometricToggle
            + systemAuthenticationScreen + privacyCover + pinPad
            + wordsScreen + recoveryKeyScreen + backupScreen + backupReminder + pinChangeScreen + trailScreen
    }
}

/// Every state of one screen, one below the other.
package struct StillColumn: View {
    private let stills: [Still]

    package init(stills: [Still]) { self.stills = stills }

    package var body: some View {
        ForEach(stills.indices, id: \.self) { index in
            stills[index].view.previewDisplayName(stills[index].state)
        }
    }
}

extension SecretBytes {
    /// Text that is no secret, for a preview.
    static func sample(_ text: String) -> SecretBytes {
        let bytes = Array(text.utf8)
        return unsafe SecretBytes(byteCount: bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
        }
    }
}

extension VaultSnapshot {
    /// An open vault with two wallets, a recovery key and a face that opens it.
    static func open(
        mode: UnlockMode = .local,
        slots: [Slot] = [Slot(kind: .recovery, assurance: nil)],
        awaitsCheck: Bool = false,
        policy: VaultPolicy = .wallet,
        asksForLongerSecret: Bool = false
    ) -> VaultSnapshot {
        VaultSnapshot(
            mode: mode,
            state: .unlocked(.full),
            biometrics: mode == .local ? .enabled : .disabled,
            capability: .face,
            slots: slots,
            recoveryKeyAwaitsCheck: awaitsCheck,
            policy: policy,
            asksForLongerSecret: asksForLongerSecret,
            walletCount: 2
        )
    }
}

extension BiometricCapability {
    static let face = BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)
}
#endif
