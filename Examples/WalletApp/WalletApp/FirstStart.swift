import Foundation
import SwiftUI
import Thumbturn
import ThumbturnUI

/// Asks for what a new vault needs.
struct FirstStart: View {
    @ObservedObject var new: NewVault
    let done: @MainActor (WalletCore) -> Void

    var body: some View {
        VStack(spacing: 24) {
            if let refusal = new.refusal { Text(verbatim: refusal).font(.footnote) }
            switch new.step {
            case .choosing:
                Text(verbatim: "Choose a PIN").font(.headline)
                pad
            case .repeating:
                Text(verbatim: "The same PIN again").font(.headline)
                pad
            case .asking(let capability):
                BiometricOffer(capability, policy: .ofThisApp, now: new.device.clock) { consent in
                    Task { if let core = await new.make(consent) { done(core) } }
                }
            case .making:
                ProgressView()
            }
        }
        .padding()
        .privacyCover()
    }

    private var pad: some View {
        PINPad(new.pin, length: NewVault.pinLength) { Task { await new.enter() } }
    }
}
