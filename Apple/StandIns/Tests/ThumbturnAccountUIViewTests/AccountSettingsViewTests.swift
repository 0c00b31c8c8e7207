import SwiftUI
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnUI

@testable import ThumbturnAccount
@testable import ThumbturnAccountUI

@MainActor @Suite("An account's screens in the settings", .timeLimit(.minutes(2)))
struct AccountSettingsViewTests {
    private static let tablet = AccountVault.ListedDevice(
        id: "0190a5b07c0070008000000000000001",
        createdAt: Milliseconds(1_764_511_500_000),
        name: "Tablet",
        isThis: false
    )
    private static let phone = AccountVault.ListedDevice(
        id: "0190a5b07c0070008000000000000002",
        createdAt: Milliseconds(1_764_000_000_000),
        name: "Phone",
        isThis: true
    )
    private static let gone = AccountVault.ListedDevice(
        id: "0190a5b17c0070008000000000000003",
        createdAt: nil,
        name: nil,
        isThis: false
    )

    @Test func `devices are listed with this one first, and another can be revoked`() throws {
        let model = AccountDevicesModel(showing: .init(step: .list, devices: [Self.tablet, Self.phone, Self.gone]))
        let window = Window(AccountDevicesScreen(model))
        shows(
            window,
            """
            Devices of the account
            Phone
            Listed since 2025-11-24
            This device
            Tablet
            Listed since 2025-11-30
            [Revoke]
            0190a5b1
            A device without a name
            No longer listed
            [Revoke]
            """
        )
        try window.tap("Revoke")
        shows(
            window,
            """
            Devices of the account
            Revoke this device? Tablet
            Its finger or face ends at its next contact, or after 7 days. What is only in its vault opens with its recovery key alone.
            Enter your password
            <Password: >
            [Unlock] off
            [Cancel]
            """
        )
        try window.tap("Cancel")
        #expect(model.step == .list)
    }

    @Test(arguments: ["en", "fr"]) func `each step is whole in both languages`(locale: String) {
        let devices = [Self.tablet, Self.phone, Self.gone]
        for step in [AccountDevicesFields.Step.password, .list, .revocation(Self.gone)] {
            var progress = AccountDevicesFields.Progress(step: step, devices: devices)
            progress.revoked = Self.tablet
            isWhole(Window(AccountDevicesScreen(AccountDevicesModel(showing: progress)), locale: locale))
        }
        for step in PasswordChangeFields.Step.allCases {
            var progress = PasswordChangeFields.Progress(step: step)
            (progress.isUnusual, progress.isSame, progress.isUncertain) = (true, true, true)
            isWhole(Window(PasswordChangeScreen(PasswordChangeModel(showing: progress)), locale: locale))
        }
        let addresses = AccountMoveFields.Addresses(known: "https://id.example.com", asked: "https://id.example.net")
        for step in AccountMoveFields.Step.allCases {
            isWhole(Window(AccountMoveScreen(AccountMoveModel(showing: step, addresses)) {}, locale: locale))
        }
        for obstacle in [nil] + DeliveryFields.Obstacle.allCases.map(Optional.some) {
            for count: UInt64 in 0...2 {
                let waiting = DeliveryFields.Waiting(count: count, lastSent: .seconds(1), obstacle: obstacle)
                isWhole(Window(DeliveryLine(DeliveryModel(showing: waiting)), locale: locale))
            }
        }
    }

    @Test(.holds("A48")) func `a move is asked with both addresses`() throws {
        let addresses = AccountMoveFields.Addresses(known: "https://id.example.com", asked: "https://id.example.net")
        let model = AccountMoveModel(showing: .question, addresses)
        let window = Window(AccountMoveScreen(model))
        shows(
            window,
            """
            Has the account's service moved?
            This vault knows it at https://id.example.com
            This app asks it at https://id.example.net
            Follow it only if you know of the move. It has to prove that it is the same service.
            [Follow it]
            """
        )
        try window.tap("Follow it")
        #expect(window.screen.contains("Enter your password"))
        try window.tap("Back")
        #expect(model.step == .question)
    }

    @Test func `the log's line says what waits, and why`() {
        let waiting = DeliveryFields.Waiting(count: 3, lastSent: Milliseconds(1_764_511_500_000), obstacle: .refused)
        shows(
            Window(DeliveryLine(DeliveryModel(showing: waiting))),
            """
            Events that wait for the account's log: 3
            Last sent: 2025-11-30 14:05
            The service refuses the events. Ask its operator.
            [Send now]
            """
        )
    }

    @Test func `a password change ends with what it does not end`() {
        shows(
            Window(PasswordChangeScreen(PasswordChangeModel(showing: .init(step: .done)))),
            """
            Change password
            The password was changed. Biometrics are off here, and on other devices from their next contact.
            Open sessions, recovery keys and earlier copies are not affected.
            """
        )
    }
}
