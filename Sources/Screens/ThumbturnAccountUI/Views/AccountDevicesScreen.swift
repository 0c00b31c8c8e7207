#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

/// Lists an account's devices, and revokes one.
public struct AccountDevicesScreen: View {
    @ObservedObject private var model: AccountDevicesModel

    /// Shows a model's screen.
    public init(_ model: AccountDevicesModel) { self.model = model }

    /// The model's present question.
    public var body: some View {
        AccountPage(.accountDevices, error: model.error, wait: model.wait, isBusy: model.isBusy) {
            if let revoked = model.revoked { Text(Words.revoked, revoked.title) }
            question
        }
        .serves(model)
    }

    @ViewBuilder private var question: some View {
        switch model.step {
        case .password:
            Text(Words.showDevices)
            AccountPasswordField(isEnabled: model.wait == nil, submit: enter)
        case .list:
            ForEach(model.devices, id: \.id) { row(of: $0) }
        case .revocation(let device):
            Text(Words.revokeQuestion, device.title).font(.headline)
            Text(Words.revokeWarning)
            AccountPasswordField(isEnabled: model.wait == nil, submit: enter)
            WideButton(.cancel, role: .cancel) { model.back() }
        }
    }

    private func row(of device: AccountVault.ListedDevice) -> some View {
        VStack(spacing: 4) {
            Text(verbatim: device.title).font(.headline)
            if device.name == nil { Text(Words.unnamedDevice).font(.footnote) }
            if let day = device.day {
                Text(Words.listedSince, day).font(.footnote)
            } else {
                Text(Words.notListed).font(.footnote)
            }
            if device.isThis {
                Text(Words.thisDevice).font(.footnote)
            } else {
                WideButton(.revoke, role: .destructive) { model.askToRevoke(device.id) }
            }
        }
    }

    private func enter(_ secret: borrowing SecretBytes) async { await model.enter(secret) }
}
#endif
